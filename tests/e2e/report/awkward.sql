-- awkward.sql: changes a class of class.sql to one that is hard to draw: for tests/e2e/charts.sh.
-- Many shapes of blocks, other numbers in x than in y, equal and missing times; long titles and names, and with characters that gnuplot or
-- SVG read as something else; two marks at the same place; many attempts; times on two devices; labs with two and with three cases.

-- --- lab 3: shapes with few and with many students ---
CREATE TEMP TABLE shape AS
WITH shapes(x, y, z, students) AS (VALUES (2, 32, 1, 9), (1, 32, 1, 7), (32, 1, 1, 3), (8, 8, 1, 1), (16, 16, 1, 6), (32, 8, 1, 14), (64, 4, 1, 5),
  (128, 2, 1, 1), (8, 32, 1, 11), (256, 1, 1, 2), (1024, 1, 1, 1), (1, 1024, 1, 1), (3, 96, 1, 2), (512, 2, 1, 1), (32, 16, 1, 4), (8, 8, 8, 2),
  (5, 7, 1, 1), (48, 12, 1, 1), (96, 6, 1, 1), (7, 5, 1, 1), (20, 40, 1, 1), (32, 32, 1, 30))
SELECT *, sum(students) OVER (ORDER BY students DESC, x, y) AS last FROM shapes;
UPDATE launch SET block_x = shape.x, block_y = shape.y, block_z = shape.z FROM shape, graded
WHERE graded.attempt = launch.attempt AND graded.lab = 'lab3' AND (graded.n * 11 % (SELECT max(last) FROM shape)) BETWEEN last - students AND last - 1;
-- All who chose 32 x 1 are right and as fast as all who chose 64 x 4: the fewest digits. Those with 128 x 2 take seconds. 256 x 1 is never right.
UPDATE case_run SET state = 'right', time_ns = 5000 WHERE of = 'submission' AND attempt IN
  (SELECT attempt FROM launch WHERE case_name = 'n1024' AND (block_x, block_y) IN (VALUES (32, 1), (64, 4)));
UPDATE case_run SET time_ns = 2345678901 WHERE of = 'submission' AND attempt IN
  (SELECT attempt FROM launch WHERE case_name = 'n1024' AND (block_x, block_y) = (128, 2));
UPDATE case_run SET state = 'wrong' WHERE of = 'submission' AND attempt IN
  (SELECT attempt FROM launch WHERE case_name = 'n1024' AND (block_x, block_y) = (256, 1));
-- A short launch before the one that counts.
INSERT INTO launch(attempt, position, case_name, kernel, block_x, block_y, block_z, time_ns, time_kind)
SELECT attempt, 1, case_name, 'first', 13, 13, 1, time_ns / 3, time_kind FROM launch WHERE attempt IN (SELECT attempt FROM graded WHERE lab = 'lab3' AND n % 4 = 0);

-- --- words ---
UPDATE item SET title = 'All 100% of M, N & K <in "one" launch>: {a}_b^c \n, \\ and $x, whatever the matrix' WHERE item = 'shapes';
UPDATE item SET title = 'Sizes that are no multiple of the tile, in every direction, with and without padding' WHERE item = 'sizes';
UPDATE item SET title = 'Sizes that are no multiple of the tile, in every direction, without anything else' WHERE item = 'small';
UPDATE item SET title = '50% done' WHERE item = 'time';
UPDATE hazard SET kind = 'something_that_only_a_later_kit_knows_and_this_one_shows_as_it_is' WHERE kind = 'barrier' AND attempt LIKE 'lab2%';
UPDATE student SET name = CASE substr(id, -2) % 12 WHEN 0 THEN '' WHEN 1 THEN 'WWWWWWWWWWWWWWWWWWWWWWWWWW MMMMMMMMMMMM' WHEN 2 THEN 'O\nl\\e "Bob" Müller'
  WHEN 3 THEN '100%' WHEN 4 THEN '# 7' WHEN 5 THEN 'NaN' WHEN 6 THEN '1e5' WHEN 7 THEN '李李李李李李李李李李李李李李李李李李李李李李李李' WHEN 8 THEN '{/Bold x}_y^z @home'
  WHEN 9 THEN '-' WHEN 10 THEN 'a & b <c> ]]> ''d''' ELSE 'Maria del Carmen Fernández de la Vega y González-Ñíguez' END;

-- --- numbers ---
-- The reference is as slow as the baseline.
UPDATE case_run SET time_ns = 116000 WHERE of = 'reference' AND case_name = 'n512';
-- One who takes a thousand times as long as the others, for little traffic, and some with nearly the same.
UPDATE case_run SET time_ns = 40000000, state = 'right' WHERE of = 'submission' AND attempt IN (SELECT attempt FROM graded WHERE lab = 'lab2' AND n = 5);
UPDATE case_run SET time_ns = time_ns - time_ns % 4001, state = 'right' WHERE of = 'submission' AND attempt IN (SELECT attempt FROM graded WHERE lab = 'lab2' AND n % 2);
UPDATE counter SET value = value - value % 1048577 + 7 WHERE of = 'submission' AND name = 'global_load_sectors' AND attempt LIKE 'lab2%';
-- No points at all, a few, and all but one.
UPDATE attempt SET score = (n % 3) * 49 + 1 FROM graded WHERE graded.attempt = id AND attempt.lab = 'lab2' AND n % 5 = 0;
UPDATE attempt SET score = 0 WHERE id = 'lab2-s-00010-1';
-- Somebody hands in 37 times.
CREATE TEMP TABLE again AS WITH RECURSIVE more(n) AS (SELECT 5 UNION ALL SELECT n + 1 FROM more WHERE n < 37)
SELECT attempt.* FROM attempt, more WHERE id = 'lab2-s-00001-1';
UPDATE again SET id = 'again-' || rowid, work = 'again-' || rowid, number = rowid + 4, counts = 0, score = rowid * 37 % 101, submitted = '2026-01-10T11:00:00Z';
INSERT INTO attempt SELECT * FROM again;
-- Some graded on a GPU.
UPDATE attempt SET device = 'NVIDIA H200' WHERE student IN (SELECT student FROM graded WHERE n % 19 = 0);
UPDATE launch SET time_kind = 'measured' WHERE attempt IN (SELECT id FROM attempt WHERE device = 'NVIDIA H200');

-- --- lab 4 with two cases, and lab 9, which charts.sh makes, with three ---
CREATE TEMP TABLE copy(lab, case_name, factor);
INSERT INTO copy VALUES ('lab4', 'tiled-1024', 1.0), ('lab4', 'pad-1024', 0.6), ('lab9', 'a_first_case_with_a_long_name', 1.0), ('lab9', 'WWWWWWWWWWWW', 30.0),
  ('lab9', 'n8', 0.001);
CREATE TEMP TABLE handed AS SELECT attempt.* FROM attempt, (SELECT DISTINCT lab FROM copy) AS copy WHERE attempt.lab = 'lab3' ORDER BY copy.lab;
UPDATE handed SET lab = iif(rowid > (SELECT count(*) / 2 FROM handed), 'lab9', 'lab4');
UPDATE handed SET id = lab || substr(id, 5), work = lab || substr(work, 5);
INSERT INTO attempt SELECT * FROM handed;
INSERT INTO item SELECT copy.lab || substr(attempt, 5), position, item, title, class, points, max, value, reason, hint
FROM item, (SELECT DISTINCT lab FROM copy) AS copy WHERE attempt LIKE 'lab3%';
INSERT INTO case_run SELECT copy.lab || substr(attempt, 5), copy.case_name, of, name, state, kind, reason, launches, CAST(time_ns * factor + 1 AS INTEGER)
FROM case_run, copy WHERE attempt LIKE 'lab3%';
INSERT INTO counter SELECT copy.lab || substr(attempt, 5), copy.case_name, of, name, value FROM counter, copy WHERE attempt LIKE 'lab3%';
INSERT INTO share SELECT copy.lab || substr(attempt, 5), copy.case_name, unit, reached, ceiling, of, percent FROM share, copy WHERE attempt LIKE 'lab3%';
INSERT INTO launch(attempt, position, case_name, kernel, block_x, block_y, block_z, time_ns, time_kind)
SELECT copy.lab || substr(attempt, 5), position * 5 + copy.rowid, copy.case_name, kernel, block_x, block_y, block_z, CAST(time_ns * factor + 1 AS INTEGER), time_kind
FROM launch, copy WHERE attempt LIKE 'lab3%';
