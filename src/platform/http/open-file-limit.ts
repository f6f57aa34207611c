import { readFileSync } from 'node:fs';
import { report } from 'node:process';

/** Limit of open files and connections of this process. Null without a limit. */
export function readOpenFileLimit(): number | null {
  const text = process.platform === 'linux' ? readLinuxLimit() : readReportedLimit();
  const limit = Number(text);
  return Number.isInteger(limit) ? limit : null;
}

function readLinuxLimit(): string | undefined {
  return /^Max open files +(\d+|unlimited) /m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
}

/** From Node's diagnostic report, which exists on every Unix and takes some milliseconds. */
function readReportedLimit(): string | undefined {
  return /"open_files":\{"soft":"?(\d+|unlimited)"?/.exec(JSON.stringify(report.getReport()))?.[1];
}
