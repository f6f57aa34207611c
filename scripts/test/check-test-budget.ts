/** Checks what the tests cost, by their last record: the first set as a whole, and each file. */
import { listTests } from './select-tests.ts';
import { readCosts } from './test-costs.ts';
import { findCostReason, isInFirstSet } from './test-sets.ts';

/** CPU seconds of the first set. With two cores it runs for about half as long. */
const FIRST_SET_SECONDS = 900;
/** CPU seconds of a file, unless it has a reason. */
const FILE_SECONDS = 30;

const { shared, files } = readCosts();
const problems: string[] = [];
let total = Object.values(shared).reduce((sum, seconds) => sum + seconds, 0);
for (const file of listTests()) {
  const cost = files[file];
  if (cost === undefined) {
    problems.push(`${file} is not measured: run "npm test -- ${file} --record".`);
    continue;
  }
  if (isInFirstSet(file)) total += cost.cpu;
  if (cost.cpu > FILE_SECONDS && findCostReason(file) === null)
    problems.push(`${file} takes ${cost.cpu} s of CPU time, more than ${FILE_SECONDS}: split it or make it cheaper.`);
}
if (total > FIRST_SET_SECONDS)
  problems.push(`The first set takes ${Math.round(total)} s of CPU time, more than ${FIRST_SET_SECONDS}: make room.`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
