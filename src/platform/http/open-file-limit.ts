import { readFileSync } from 'node:fs';
import { report } from 'node:process';

/** How many files and connections this process may have open at once; null where there is no limit. */
export function readOpenFileLimit(): number | null {
  const text = process.platform === 'linux' ? linuxLimit() : reportedLimit();
  const limit = Number(text);
  return Number.isInteger(limit) ? limit : null;
}

function linuxLimit(): string | undefined {
  return /^Max open files +(\d+|unlimited) /m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
}

/** Node's diagnostic report has it on every Unix; making one takes some milliseconds. */
function reportedLimit(): string | undefined {
  return /"open_files":\{"soft":"?(\d+|unlimited)"?/.exec(JSON.stringify(report.getReport()))?.[1];
}
