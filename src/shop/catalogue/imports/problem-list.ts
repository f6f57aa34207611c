import type { Problem } from './columns.ts';

const MAX_LISTED = 1000;

/** Collects problems: at most a thousand errors and as many notices, and counts the others. */
export class ProblemList {
  readonly #listed: Record<Problem['severity'], Problem[]> = { error: [], notice: [] };
  readonly #counts: Record<Problem['severity'], number> = { error: 0, notice: 0 };

  readonly report = (problem: Problem): void => {
    const { severity } = problem;
    this.#counts[severity] += 1;
    if (this.#listed[severity].length < MAX_LISTED) this.#listed[severity].push(problem);
  };

  get errors(): number {
    return this.#counts.error;
  }

  get notices(): number {
    return this.#counts.notice;
  }

  /** Errors first, each in the order of the file. */
  list(): readonly Problem[] {
    return [...this.#listed.error, ...this.#listed.notice].toSorted(
      (a, b) => Number(a.severity === 'notice') - Number(b.severity === 'notice') || a.line - b.line,
    );
  }
}
