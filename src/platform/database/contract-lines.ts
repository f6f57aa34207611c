/**
 * Comment lines of a migration that name what it takes away from the previous release, and since which migration the code
 * does without it:
 *
 *     -- contract: orders.old_total unused since 0061
 *
 * The object is a table, `table.column`, `table.constraint` or another name that the test of migrations reports.
 */
const CONTRACT_LINE = /^-- contract: (\S+) .*\bsince (\d{4})$/;
const ANY_CONTRACT_LINE = /^\s*--\s*contract\b/i;

interface ContractLine {
  readonly object: string;
  /** The first release without a use of the object has this migration. */
  readonly since: number;
}

/** @throws Error for a line that begins like one but has another form */
export function readContractLines(text: string): readonly ContractLine[] {
  return text.split('\n').flatMap((line) => {
    const [, object = '', since] = CONTRACT_LINE.exec(line.trimEnd()) ?? [];
    if (since !== undefined) return { object, since: Number(since) };
    if (ANY_CONTRACT_LINE.test(line)) throw new Error(`not "-- contract: OBJECT … since NNNN": ${line.trim()}`);
    return [];
  });
}

/**
 * The newest migration that the oldest program must know to work with the schema after this migration. Zero: any program.
 */
export const getOldestProgram = (text: string): number =>
  Math.max(0, ...readContractLines(text).map(({ since }) => since));
