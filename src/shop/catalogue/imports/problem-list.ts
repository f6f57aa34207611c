import type { Problem } from './columns.ts';

const MAX_LISTED = 1000;

/** A problem as it is listed, with the handle of its product. Null: it is one of the file. */
export interface ListedProblem extends Problem {
  readonly product: string | null;
}

/** A product of the file: its handle, and its first line, which identifies it. */
export interface ReadProduct {
  readonly handle: string;
  readonly line: number;
}

interface CollectedProblem {
  readonly problem: ListedProblem;
  /** First line of the product; null: of the file. */
  readonly of: number | null;
}

/**
 * Collects problems: at most a thousand errors and as many notices, and counts the others. Of a product that is left out
 * only the errors, since its notices say what the import would do.
 */
export class ProblemList {
  readonly #listed: Record<Problem['severity'], CollectedProblem[]> = { error: [], notice: [] };
  #errors = 0;
  /** Numbers of notices by the first line of the product. */
  readonly #notices = new Map<number | null, number>();
  /** First lines of products with errors. */
  readonly #leftOut = new Set<number>();
  #isFileRefused = false;

  /** Reports a problem of the file. An error refuses it as a whole. */
  readonly report = (problem: Problem): void => {
    if (problem.severity === 'error') this.#isFileRefused = true;
    this.#add({ problem: { ...problem, product: null }, of: null });
  };

  /** Reports problems of a product. An error leaves it out. */
  readonly reportOf =
    ({ handle, line }: ReadProduct) =>
    (problem: Problem): void => {
      if (problem.severity === 'error') this.#leftOut.add(line);
      this.#add({ problem: { ...problem, product: handle }, of: line });
    };

  #add(collected: CollectedProblem): void {
    const { severity } = collected.problem;
    if (severity === 'error') this.#errors += 1;
    else this.#notices.set(collected.of, (this.#notices.get(collected.of) ?? 0) + 1);
    if (this.#listed[severity].length < MAX_LISTED) this.#listed[severity].push(collected);
  }

  get isFileRefused(): boolean {
    return this.#isFileRefused;
  }

  /** Whether the product that starts on this line is left out. */
  isLeftOut(line: number): boolean {
    return this.#leftOut.has(line);
  }

  get leftOut(): number {
    return this.#leftOut.size;
  }

  get errors(): number {
    return this.#errors;
  }

  get notices(): number {
    let count = 0;
    for (const [line, notices] of this.#notices) if (this.#isCounted(line)) count += notices;
    return count;
  }

  #isCounted(line: number | null): boolean {
    return line === null || !this.#leftOut.has(line);
  }

  /** Errors first, each in the order of the file. */
  list(): readonly ListedProblem[] {
    const { error, notice } = this.#listed;
    return [error, notice.filter(({ of }) => this.#isCounted(of))].flatMap((list) =>
      list.map(({ problem }) => problem).toSorted((a, b) => a.line - b.line),
    );
  }
}
