-- tables.sql: what the charts of a lab must show, by the gradebook: for tests/e2e/charts.sh. Nothing here is taken from grader/class.
-- Before it:
--     CREATE TEMP TABLE asked(lab, names, baseline);           names: 1 for names in place of pseudonyms; baseline: of lab.conf
--     CREATE TEMP TABLE shown(place, case_name);               cases that lab.conf shows, from 0
--     CREATE TEMP TABLE swept(case_name);                      its [sweep]'s
--     CREATE TEMP TABLE looks_at(item, case_name);             its measured items' cases
-- Writes rows CHART KIND COLUMN..., tab-separated: those of CHART's table (plots/class/*.gp), in their order, and `says WHERE WORDS`, which are
-- title, note, source, or an axis. Three kinds are completed by expected.awk: `point`, `block` and `leader`.
.mode list
.separator "\t"

-- --- who stands where ---
CREATE TEMP TABLE stands AS SELECT attempt.* FROM attempt, asked
WHERE attempt.lab = asked.lab AND attempt.id = (SELECT other.id FROM attempt other
  WHERE other.lab = attempt.lab AND other.student = attempt.student ORDER BY other.counts DESC, other.number DESC, other.id LIMIT 1);
CREATE TEMP TABLE good AS SELECT * FROM stands WHERE status = 'graded' AND ifnull(verdict, '') <> 'error';
CREATE TEMP TABLE class AS SELECT (SELECT count(*) FROM student) AS students, (SELECT count(*) FROM good) AS graded,
  (SELECT max(max) FROM good) AS max, (SELECT count(*) FROM good WHERE score >= max) AS full;
CREATE INDEX temp.good_id ON good(id);

-- Samples, each by its name, and their quartiles: by linear interpolation, so that the two values beside a place have weights that
-- add up to 1. A whisker ends at the outermost value within 1.5 boxes; the sums above may be off by a rounding.
CREATE TEMP TABLE sample(name, value REAL);
CREATE INDEX temp.sample_name ON sample(name, value);
CREATE TEMP VIEW ranked AS SELECT name, value, row_number() OVER (PARTITION BY name ORDER BY value) - 1 AS place,
  count(*) OVER (PARTITION BY name) - 1 AS last FROM sample;
CREATE TEMP VIEW quartiles AS SELECT name, last + 1 AS count,
  sum(value * max(0, 1 - abs(place - last * 0.25))) AS lower, sum(value * max(0, 1 - abs(place - last * 0.5))) AS median,
  sum(value * max(0, 1 - abs(place - last * 0.75))) AS upper FROM ranked GROUP BY name, last;
CREATE TEMP VIEW spread AS SELECT *,
  (SELECT min(value) FROM sample WHERE sample.name = quartiles.name AND value >= lower - 1.5 * (upper - lower) - 1e-9 * lower) AS low,
  (SELECT max(value) FROM sample WHERE sample.name = quartiles.name AND value <= upper + 1.5 * (upper - lower) + 1e-9 * upper) AS high
FROM quartiles;

-- --- times that can be compared: of the device and kind of most ---
CREATE TEMP TABLE timed AS SELECT id AS attempt, student, ifnull(device, '') AS device,
  ifnull((SELECT max(time_kind) FROM launch WHERE launch.attempt = good.id), iif(backend = 'gpu', 'measured', 'modelled')) AS kind
FROM good WHERE id IN (SELECT attempt FROM case_run WHERE of = 'submission' AND state = 'right' AND time_ns > 0);
CREATE TEMP TABLE majority AS SELECT device, kind, count(*) AS attempts FROM timed GROUP BY device, kind ORDER BY 3 DESC, 1, 2 LIMIT 1;
CREATE TEMP TABLE compared AS SELECT attempt, student FROM timed JOIN majority USING (device, kind);

CREATE TEMP TABLE moved AS SELECT attempt, case_name, of, sum(value) * 32.0 AS bytes FROM counter
WHERE name IN ('global_load_sectors', 'global_store_sectors', 'global_atomic_sectors') GROUP BY 1, 2, 3;
CREATE TEMP TABLE point AS SELECT place, shown.case_name, compared.student, run.time_ns AS time, baseline.time_ns AS baseline,
  reference.time_ns AS reference, share.percent, share.of, moved.bytes
FROM compared JOIN shown
JOIN case_run run ON run.attempt = compared.attempt AND run.case_name = shown.case_name AND run.of = 'submission'
LEFT JOIN case_run baseline ON baseline.attempt = run.attempt AND baseline.case_name = run.case_name AND baseline.of = 'baseline'
LEFT JOIN case_run reference ON reference.attempt = run.attempt AND reference.case_name = run.case_name AND reference.of = 'reference'
LEFT JOIN share ON share.attempt = run.attempt AND share.case_name = run.case_name
LEFT JOIN moved ON moved.attempt = run.attempt AND moved.case_name = run.case_name AND moved.of = 'submission'
WHERE run.state = 'right' AND run.time_ns > 0;
INSERT INTO sample SELECT 'baseline ' || place, baseline FROM point WHERE baseline > 0;
INSERT INTO sample SELECT 'reference ' || place, reference FROM point WHERE reference > 0;
INSERT INTO sample SELECT 'reference percent ' || place, percent * time / reference FROM point WHERE percent > 0 AND reference > 0;
CREATE TEMP TABLE solution AS SELECT place, case_name,
  (SELECT median FROM spread WHERE name = 'baseline ' || place) AS baseline,
  (SELECT median FROM spread WHERE name = 'reference ' || place) AS reference,
  (SELECT median FROM spread WHERE name = 'reference percent ' || place) AS percent,
  (SELECT avg(bytes) FROM moved JOIN timed USING (attempt) WHERE moved.case_name = shown.case_name AND of = 'baseline') AS baseline_bytes,
  (SELECT avg(bytes) FROM moved JOIN timed USING (attempt) WHERE moved.case_name = shown.case_name AND of = 'reference') AS reference_bytes
FROM shown;

CREATE TEMP TABLE source AS SELECT
  printf('%s, %d of %d students graded', lab, graded, students) ||
    ifnull((SELECT printf('; counted and %s; device: %s', kind, device) FROM majority), '') AS counted,
  printf('%s, %d of %d students graded', lab, graded, students) ||
    ifnull((SELECT printf('; times %s; device: %s', kind, device) FROM majority), '') ||
    ifnull((SELECT printf('; without %d of another device or kind of time', count(*) - attempts) FROM timed, majority
      HAVING count(*) > attempts), '') AS times
FROM asked, class;
CREATE TEMP VIEW heading AS SELECT asked.lab, counted, times, (SELECT kind FROM majority) AS kind,
  (SELECT iif(count(*) = 1, ', case ' || max(case_name), '') FROM shown) AS which FROM asked, source;

-- --- scores ---
INSERT INTO sample SELECT 'score', score FROM good;
CREATE TEMP TABLE bins AS SELECT min(20, max) AS count, max FROM class;
WITH RECURSIVE bin(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM bin, bins WHERE n + 1 < count)
SELECT 'scores', 'bin', printf('%g', n * bins.max * 1.0 / bins.count), printf('%g', (n + 1) * bins.max * 1.0 / bins.count),
  (SELECT count(*) FROM good WHERE score < good.max AND score * bins.count / bins.max = n) FROM bin, bins WHERE (SELECT graded FROM class);
SELECT 'scores', 'full', max, printf('%g', max + max * 1.0 / bins.count), full FROM class JOIN bins USING (max);
SELECT 'scores', 'median', printf('%g', median), printf('median %.10g', round(median, 1)), 0 FROM spread WHERE name = 'score';
SELECT 'scores', 'says', 'title', lab || ': scores' FROM heading;
SELECT 'scores', 'says', 'axis', printf('score (of %g points)', max) FROM class;
SELECT 'scores', 'says', 'axis', 'students';
SELECT 'scores', 'says', 'source', counted FROM heading;
SELECT 'scores', 'says', 'note', CASE WHEN count = 1 THEN printf('One score: %.10g of %d points.', round(median, 1), max)
  WHEN full = count THEN printf('All %d have full marks.', count)
  ELSE printf('The median is %.10g of %d', round(median, 1), max) ||
    iif(count < 4, '', printf('; the middle half of the class is between %.10g and %.10g', round(lower, 1), round(upper, 1))) || '.' ||
    iif(full = 0, ' Nobody has full marks.', printf(' %d%% (%d) have full marks.', max(1, min(99, round(100.0 * full / count))), full)) END
FROM spread, class WHERE name = 'score';

-- --- items ---
-- Points of a measured item wait for its case to be right; those of a hazard item for any case, unless a hazard costs them.
CREATE TEMP TABLE judged AS SELECT item.*, points >= max AS has_all, points > 0 OR CASE class WHEN 'correctness' THEN 1
  WHEN 'hazard' THEN attempt IN (SELECT attempt FROM case_run WHERE of = 'submission' AND state = 'right') OR
    attempt IN (SELECT attempt FROM hazard WHERE NOT warning AND kind NOT IN ('wrong', 'build'))
  ELSE value IS NOT NULL OR EXISTS (SELECT 1 FROM case_run JOIN looks_at USING (case_name) WHERE case_run.attempt = item.attempt
    AND of = 'submission' AND state = 'right' AND looks_at.item = item.item) END AS looked_at
FROM item WHERE attempt IN (SELECT id FROM good);
CREATE TEMP TABLE missed AS SELECT title, min(position) AS place, sum(has_all) AS has_all, sum(points > 0 AND NOT has_all) AS part,
  sum(points <= 0 AND NOT has_all AND looked_at) AS none, sum(points <= 0 AND NOT has_all AND NOT looked_at) AS unjudged
FROM judged GROUP BY item;
SELECT 'items', 'item', title, printf('%.6g', none * 100.0 / graded), printf('%.6g', part * 100.0 / graded),
  printf('%.6g', unjudged * 100.0 / graded), printf('%.6g', has_all * 100.0 / graded),
  CASE WHEN part + none = 0 THEN iif(unjudged, 'nobody misses it', 'all have it')
    ELSE printf('%d%% miss it (%d)', iif(part + none = graded, 100, max(1, min(99, round(100.0 * (part + none) / graded)))), part + none) END
FROM missed, class ORDER BY part + none DESC, none DESC, place;
SELECT 'items', 'says', 'title', lab || ': what loses points, the most often missed first' FROM heading;
SELECT 'items', 'says', 'source', counted FROM heading;
SELECT 'items', 'says', 'legend', words FROM (SELECT 'no points' AS words UNION SELECT 'some' UNION SELECT 'not judged' UNION SELECT 'all points');

-- --- hazards ---
CREATE TEMP TABLE found AS SELECT kind, sum(costs) AS students, sum(1 - costs) AS warned FROM
  (SELECT attempt, kind, max(warning = 0) AS costs FROM hazard WHERE attempt IN (SELECT id FROM good) AND kind <> 'kit' GROUP BY 1, 2) GROUP BY kind;
WITH titles(kind, title) AS (VALUES ('build', 'does not compile'), ('race', 'race'), ('oob', 'out of bounds'),
  ('barrier', 'barrier not reached by all threads'), ('wrong', 'wrong result'))
SELECT 'hazards', 'hazard', ifnull(title, kind), found.students, warned, printf('%d (%d%%)', found.students + warned,
  iif(found.students + warned = graded, 100, max(1, min(99, round(100.0 * (found.students + warned) / graded)))))
FROM found LEFT JOIN titles USING (kind), class ORDER BY found.students DESC, warned DESC, kind;
SELECT 'hazards', 'says', 'title', lab || ': hazards, by students' FROM heading;
SELECT 'hazards', 'says', 'axis', 'students';
SELECT 'hazards', 'says', 'source', counted FROM heading;
SELECT 'hazards', 'says', 'legend', words FROM (SELECT 'costs points' AS words UNION SELECT 'a warning only');

-- --- speed and share of the ceiling: boxes ---
CREATE TEMP TABLE over AS SELECT EXISTS (SELECT 1 FROM solution WHERE baseline > 0) AS baseline;
CREATE TEMP TABLE value AS
  SELECT 'speed' AS chart, place, student, iif(over.baseline, point.baseline, point.reference) * 1.0 / time AS value FROM point, over
  UNION ALL SELECT 'ceiling', place, student, percent FROM point;
DELETE FROM value WHERE value IS NULL OR value <= 0;
CREATE TEMP TABLE mark AS
  SELECT 'speed' AS chart, place, 1.0 AS value, 'baseline' AS words FROM solution, over WHERE over.baseline AND reference > 0
  UNION ALL SELECT 'speed', place, iif(over.baseline, solution.baseline / reference, 1.0), 'reference' FROM solution, over WHERE reference > 0
  UNION ALL SELECT 'ceiling', place, percent, 'reference' FROM solution;
DELETE FROM mark WHERE value IS NULL OR value <= 0;
INSERT INTO sample SELECT chart || ' ' || place, value FROM value;
CREATE TEMP TABLE boxes AS SELECT DISTINCT chart FROM value;
SELECT chart, 'case', place, iif((SELECT count(*) FROM shown) > 1, case_name, '-') FROM boxes, shown;
SELECT chart, 'student', place, printf('%.6g', value) FROM value ORDER BY chart, place, student;
SELECT chart, 'box', place, printf('%.6g', low), printf('%.6g', lower), printf('%.6g', median), printf('%.6g', upper), printf('%.6g', high)
FROM boxes, shown JOIN spread ON spread.name = chart || ' ' || place WHERE spread.count >= 4;
SELECT chart, 'mark', place, printf('%.6g', value), words FROM boxes JOIN mark USING (chart) ORDER BY chart, place, words;
SELECT chart, 'range', printf('%.6g', min(value)), printf('%.6g', max(value)) FROM
  (SELECT chart, value FROM value UNION ALL SELECT chart, value FROM mark) JOIN boxes USING (chart) GROUP BY chart;
SELECT 'speed', 'says', 'title', lab || ': speedup over ' || iif(over.baseline, 'the baseline, ' || ifnull((SELECT asked.baseline || '''s solution'
  FROM asked WHERE asked.baseline <> ''), 'another solution'), 'the reference solution') || which FROM heading, over;
SELECT 'speed', 'says', 'axis', printf('times as fast as %s (%s, logarithmic)', iif(over.baseline, 'the baseline', 'the reference'), kind)
FROM heading, over;
SELECT 'ceiling', 'says', 'title', lab || ': share of what the device can do' || which FROM heading;
SELECT 'ceiling', 'says', 'axis', printf('percent of %s (%s)', (SELECT of FROM point WHERE of IS NOT NULL ORDER BY place, student LIMIT 1), kind) FROM heading;
SELECT chart, 'says', 'note', 'A dot is a student whose results are right; the box spans the middle half of them.' FROM boxes;
SELECT chart, 'says', 'source', times FROM boxes, heading;

-- --- traffic ---
CREATE TEMP TABLE traffic AS SELECT place, case_name, 'traffic' || iif(place, '-' || (place + 1), '') AS chart FROM shown
WHERE place IN (SELECT place FROM point WHERE bytes > 0);
SELECT chart, 'point', printf('%.17g', bytes), printf('%.17g', time) FROM traffic JOIN point USING (place) WHERE bytes > 0 ORDER BY place, student;
SELECT chart, 'mark', printf('%.6g', reference_bytes / 1e6), printf('%.6g', reference / 1e3), 'reference' FROM traffic JOIN solution USING (place)
WHERE reference_bytes > 0 AND reference > 0;
SELECT chart, 'mark', printf('%.6g', baseline_bytes / 1e6), printf('%.6g', baseline / 1e3), 'baseline' FROM traffic JOIN solution USING (place)
WHERE baseline_bytes > 0 AND baseline > 0;
SELECT chart, 'says', 'title', printf('%s: time over global traffic, case %s', lab, case_name) FROM traffic, heading;
SELECT chart, 'says', 'axis', 'global memory traffic of a call: sectors of 32 bytes, in MB' FROM traffic;
SELECT chart, 'says', 'axis', 'time in us, ' || kind FROM traffic, heading;
SELECT chart, 'says', 'note', 'A dot is a student with right results, a larger one several within 4%. Logarithmic axes.' FROM traffic;
SELECT chart, 'says', 'source', times FROM traffic, heading;

-- --- shapes of blocks: of the longest launch in the sweep's case, else in the one that most have right ---
CREATE TEMP TABLE looked AS SELECT ifnull((SELECT case_name FROM swept),
  (SELECT shown.case_name FROM shown LEFT JOIN point USING (place) GROUP BY place ORDER BY count(student) DESC, place LIMIT 1)) AS case_name;
CREATE TEMP TABLE chosen AS SELECT block_x AS x, block_y AS y, block_z AS z, good.id AS attempt FROM good, looked
JOIN launch ON launch.attempt = good.id AND launch.case_name = looked.case_name
WHERE NOT EXISTS (SELECT 1 FROM launch other WHERE other.attempt = launch.attempt AND other.case_name = launch.case_name AND
  (other.time_ns > launch.time_ns OR (other.time_ns = launch.time_ns AND other.position < launch.position)));
INSERT INTO sample SELECT printf('block %d %d %d', x, y, z), time_ns FROM chosen JOIN compared USING (attempt) JOIN case_run USING (attempt), looked
WHERE case_run.case_name = looked.case_name AND of = 'submission' AND state = 'right' AND time_ns > 0;
SELECT 'blocks', 'block', x, y, z, count(*), CASE WHEN median IS NULL THEN '-' WHEN median < 999.5e3 THEN printf('%.3g us', median / 1e3)
  WHEN median < 999.5e6 THEN printf('%.3g ms', median / 1e6) ELSE printf('%.3g s', median / 1e9) END
FROM chosen LEFT JOIN spread ON spread.name = printf('block %d %d %d', x, y, z)
WHERE (SELECT count(*) FROM swept) OR (SELECT count(*) FROM (SELECT DISTINCT x, y, z FROM chosen)) > 1
GROUP BY x, y, z ORDER BY count(*) DESC, x, y, z;
SELECT 'blocks', 'says', 'title', printf('%s: shapes of blocks that the class chose, case %s', lab, case_name) FROM heading, looked;
SELECT 'blocks', 'says', 'axis', 'threads of a block in x';
SELECT 'blocks', 'says', 'axis', 'threads of a block in y';
SELECT 'blocks', 'says', 'note', printf('Number and size: students. Below: median time (%s) of right results, if any.', ifnull(kind, 'where known')) FROM heading;
SELECT 'blocks', 'says', 'source', times FROM heading;

-- --- progress ---
CREATE TEMP TABLE tried AS SELECT student, number, score FROM attempt, asked WHERE attempt.lab = asked.lab AND status = 'graded'
  AND ifnull(verdict, '') <> 'error' AND score IS NOT NULL;
CREATE TEMP TABLE tries AS SELECT max(number) AS count FROM tried;
WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number, tries WHERE n < count)
INSERT INTO sample SELECT 'after ' || n, score FROM number, tried
WHERE number = (SELECT max(number) FROM tried other WHERE other.student = tried.student AND other.number <= n);
SELECT 'progress', 'student', number, score FROM tried, tries WHERE count > 1 ORDER BY student, number;
SELECT 'progress', 'median', CAST(substr(name, 7) AS INTEGER), printf('%g', median) FROM spread, tries WHERE name LIKE 'after %' AND tries.count > 1
ORDER BY 3;
SELECT 'progress', 'says', 'title', lab || ': scores over attempts' FROM heading;
SELECT 'progress', 'says', 'axis', 'attempt';
SELECT 'progress', 'says', 'axis', printf('score (of %g points)', max) FROM class;
SELECT 'progress', 'says', 'note', 'Thin: a student. Bold: the class''s median after that many attempts. Students who stopped earlier count with their last score.';
SELECT 'progress', 'says', 'source', counted FROM heading;

-- --- leaders: a student's ratio is the geometric mean over the shown cases, if all are right ---
CREATE TEMP TABLE ratio AS SELECT student, count(*) AS count, CASE count(*) WHEN 1 THEN max(one) WHEN 2 THEN max(one) * min(one)
  ELSE max(one) * min(one) * (sum(one) - max(one) - min(one)) END AS product
FROM (SELECT student, time * 1.0 / reference AS one FROM point WHERE reference > 0) GROUP BY student HAVING count(*) = (SELECT count(*) FROM shown);
CREATE TEMP TABLE place AS SELECT rank() OVER (ORDER BY score DESC, product IS NULL, round(product, 12)) AS rank, good.student, score, product,
  ratio.count FROM good LEFT JOIN ratio USING (student);
SELECT 'leaders', 'leader', rank, iif(names, ifnull(nullif(name, ''), id), pseudonym), score, iif(product IS NULL, '', printf('%.9g', product)), count
FROM place JOIN student ON student.id = place.student, asked ORDER BY rank, pseudonym LIMIT 15;
SELECT 'leaders', 'says', 'title', lab || ': leaderboard' FROM heading;
SELECT 'leaders', 'says', 'note', printf('By score, then by time relative to the reference''s (%s)%s.', ifnull(kind, 'none known'),
  iif(names, '', '. Names are pseudonyms')) FROM heading, asked;
SELECT 'leaders', 'says', 'source', times FROM heading;
