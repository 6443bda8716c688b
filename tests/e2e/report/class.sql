-- class.sql: a gradebook's rows for a class of any size, without grading anything: for tests/e2e/report.sh.
-- Before it: CREATE TEMP TABLE size(students); INSERT INTO size VALUES(30);
-- Lab 2 and lab 3; every figure is a function of the student's number. Student s-00003 is called something hostile.

CREATE TEMP TABLE person AS
WITH RECURSIVE count(n) AS (SELECT 1 WHERE (SELECT students FROM size) > 0
  UNION ALL SELECT n + 1 FROM count WHERE n < (SELECT students FROM size))
SELECT n, printf('s-%05d', n) AS id, (n * 7919 + 104729) % 1009 / 1009.0 AS skill,
  (n * 31337 + 977) % 613 / 613.0 AS luck FROM count;

INSERT INTO student(id, listed, name, email, section)
SELECT id, 1, CASE n % 8
  WHEN 0 THEN 'Ólafur Þórsson ' || n WHEN 1 THEN 'Nguyễn Thị Hương ' || n WHEN 2 THEN '李 小龍 ' || n
  WHEN 4 THEN 'Fatima al-Zahra ' || n WHEN 5 THEN 'José Ñíguez ' || n WHEN 6 THEN 'Anna O''Brien ' || n
  ELSE 'Sam Miller ' || n END,
  id || '@example.edu', 'ABC' || (n % 3) FROM person;
UPDATE student SET name = '<script>alert("1")</script> & ''x'' ' || char(8238) || 'rtl' || char(27) || '[31m' ||
  substr(hex(zeroblob(200)), 1, 300) WHERE id = 's-00003';

-- Up to four attempts, each a bit better; every 13th student has handed in nothing, every 17th something unreadable.
CREATE TEMP TABLE try AS
WITH labs(lab, k) AS (VALUES('lab2', 0), ('lab3', 1)), numbers(number) AS (VALUES(1), (2), (3), (4))
SELECT printf('%s-%s-%d', lab, id, number) AS attempt, id AS student, n, lab, number, luck,
  1 + (n * 5 + k) % 7 / 2 AS attempts,
  min(1.0, max(0.0, skill * 0.9 + 0.25 * (number - 1) * (0.2 + luck) + k * 0.1)) AS level
FROM person, labs, numbers
WHERE n % 13 <> 0 AND number <= 1 + (n * 5 + k) % 7 / 2;

INSERT INTO attempt(id, student, submitter, work, lab, number, submitted, late, file, sha256, status, counts, verdict, score, max, reason, seed,
  backend, device, sandbox, kit_version, conf_hash, graded_at, seconds)
SELECT attempt, student, student, attempt, lab, number, '2026-01-1' || number || 'T10:00:00Z', CASE WHEN n % 11 = 0 THEN 7200 ELSE 0 END,
  lab || '.cu', hex(attempt), CASE WHEN n % 17 = 0 THEN 'refused' WHEN n % 41 = 0 THEN 'error' ELSE 'graded' END,
  number = attempts, CASE WHEN n % 17 = 0 THEN NULL WHEN n % 41 = 0 THEN 'error' WHEN level > 0.85 THEN 'pass'
    WHEN level > 0.1 THEN 'partial' ELSE 'fail' END,
  CASE WHEN n % 17 = 0 OR n % 41 = 0 THEN NULL WHEN level > 0.85 THEN 100 ELSE CAST(level * 100 AS INTEGER) END, 100,
  CASE WHEN n % 17 = 0 THEN 'work.zip: the archive is cut off' WHEN n % 41 = 0 THEN 'the runner could not be started' END,
  7, 'sim', 'simulated NVIDIA H100 80GB HBM3', 'bubblewrap', '0.9', 'c0ffee', '2026-01-20T12:00:00Z', 3.5
FROM try;
CREATE TEMP TABLE graded AS SELECT try.* FROM try JOIN attempt ON attempt.id = try.attempt WHERE attempt.status = 'graded';

INSERT INTO item(attempt, position, item, title, class, points, max, value, reason, hint)
WITH items(lab, position, item, title, class, max, need) AS (VALUES
  ('lab2', 0, 'small', 'Small squares are right', 'correctness', 9, 0.05),
  ('lab2', 1, 'shapes', 'Any M, N and K', 'correctness', 15, 0.3),
  ('lab2', 2, 'sizes', 'Larger sizes', 'correctness', 16, 0.35),
  ('lab2', 3, 'barriers', 'Two barriers, reached by all threads', 'hazard', 12, 0.55),
  ('lab2', 4, 'memory', 'No stray or uninitialised accesses', 'hazard', 8, 0.25),
  ('lab2', 5, 'traffic', 'Global loads cut to 1/16 of lab 1''s', 'technique', 12, 0.4),
  ('lab2', 6, 'operands', 'Operands come from shared memory', 'technique', 10, 0.4),
  ('lab2', 7, 'conflicts', 'No bank conflicts', 'technique', 8, 0.6),
  ('lab2', 8, 'coalesced', 'Tiles are loaded coalesced', 'technique', 6, 0.45),
  ('lab2', 9, 'time', 'Time beside the model solution', 'performance', 4, 0.7),
  ('lab3', 0, 'squares', 'Small squares are right', 'correctness', 10, 0.05),
  ('lab3', 1, 'shapes', 'Any number of rows and columns', 'correctness', 18, 0.3),
  ('lab3', 2, 'sizes', 'Large matrices are right', 'correctness', 12, 0.35),
  ('lab3', 3, 'hazards', 'No stray accesses, no races', 'hazard', 15, 0.4),
  ('lab3', 4, 'loads', 'Loads move few sectors', 'technique', 12, 0.5),
  ('lab3', 5, 'stores', 'Stores move few sectors', 'technique', 15, 0.7),
  ('lab3', 6, 'time', 'Time near that of the best shape', 'performance', 18, 0.8))
SELECT attempt, position, item, title, class,
  CASE WHEN level > 0.85 OR level >= need THEN max WHEN level > need - 0.12 AND max > 5 THEN max / 2 ELSE 0 END, max,
  CASE WHEN class IN ('technique', 'performance') AND level >= 0.35 THEN level END,
  CASE WHEN level >= need THEN NULL ELSE lab || '.cu:27: something about ' || item END,
  CASE WHEN level >= need THEN NULL ELSE 'A hint about ' || item || '.' END
FROM graded JOIN items USING (lab);

INSERT INTO hazard(attempt, position, kind, warning, line, other_line, kernel, array, message, count)
SELECT attempt, 0, CASE WHEN level < 0.06 THEN 'build' WHEN level < 0.25 THEN 'oob' WHEN luck < 0.2 THEN 'barrier' ELSE 'race' END,
  0, 27, 31, 'matmul_tiled', 'tileA', 'threads of two warps write and read tileA[3][4]; put a barrier between', 1000 FROM graded WHERE level < 0.55;
INSERT INTO hazard(attempt, position, kind, warning, line, other_line, kernel, array, message, count)
SELECT attempt, 1, 'wrong', 0, 0, 0, '', '', 'element [3][4] is 0', 1 FROM graded WHERE level < 0.35;
INSERT INTO hazard(attempt, position, kind, warning, line, other_line, kernel, array, message, count)
SELECT attempt, 2, 'race', 1, 30, 30, 'matmul_tiled', 'C', 'the same value twice', 4 FROM graded WHERE n % 9 = 0;

INSERT INTO case_run(attempt, case_name, of, name, state, kind, reason, launches, time_ns)
WITH shown(lab, case_name, reference, baseline) AS (VALUES('lab2', 'n512', 34759, 116000), ('lab3', 'n1024', 6120, NULL)),
  who(of) AS (VALUES('submission'), ('reference'), ('baseline'))
SELECT attempt, case_name, of, of, CASE WHEN of <> 'submission' OR level >= 0.35 THEN 'right' ELSE 'wrong' END, NULL, NULL, 1,
  CASE of WHEN 'reference' THEN reference WHEN 'baseline' THEN baseline
    ELSE CAST(reference * (0.9 + (1 - level) * (1 - level) * 14 * (0.3 + luck)) AS INTEGER) END
FROM graded JOIN shown USING (lab), who WHERE of <> 'baseline' OR baseline IS NOT NULL;

INSERT INTO counter(attempt, case_name, of, name, value)
SELECT run.attempt, case_name, of, counted, CASE counted WHEN 'global_store_sectors' THEN 32768
  ELSE CASE of WHEN 'baseline' THEN 20000000 WHEN 'reference' THEN 1048576
    ELSE CAST(1048576 * (1 + (1 - level) * 20 * luck) AS INTEGER) END END
FROM case_run run JOIN graded USING (attempt), (SELECT 'global_load_sectors' AS counted UNION SELECT 'global_store_sectors')
WHERE level >= 0.3;

INSERT INTO share(attempt, case_name, unit, reached, ceiling, of, percent)
SELECT run.attempt, case_name, CASE lab WHEN 'lab2' THEN 'operations/ns' ELSE 'bytes/ns' END, 1, 2,
  CASE lab WHEN 'lab2' THEN 'the GPU''s fp32 units' ELSE 'the GPU''s DRAM' END,
  CASE lab WHEN 'lab2' THEN 11.6 * 34759 ELSE 46.0 * 6120 END / time_ns
FROM case_run run JOIN graded USING (attempt) WHERE of = 'submission' AND state = 'right';

INSERT INTO launch(attempt, position, case_name, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
  registers, time_ns, time_kind, bound, line)
SELECT attempt, 0, case_name, 'kernel', 16, 16, 1,
  CASE lab WHEN 'lab2' THEN 32 ELSE 1 << (n * 7 % 6) END, CASE lab WHEN 'lab2' THEN 32 ELSE 1 << (n * 7 + n / 5) % 5 END, 1,
  8192, 32, time_ns, 'modelled', 'shared memory', 12
FROM case_run JOIN graded USING (attempt) WHERE of = 'submission';
