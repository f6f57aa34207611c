/** Results of a run, so that it goes on where it was interrupted. They are valid for one state of the tree. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const FILE = 'node_modules/.cache/mutations.json';

const result = z.object({
  outcome: z.enum(['first-set', 'rest', 'survived', 'not-built']),
  /** Title of the test that found it. */
  title: z.string().nullable(),
  file: z.string().nullable(),
  seconds: z.number(),
});
const saved = z.object({
  tree: z.string(),
  results: z.record(z.string(), result),
  /** Files that pass without a fault. */
  passing: z.array(z.string()),
  /** Files that fail without one: their failures find nothing. */
  failing: z.array(z.string()),
});

export type FaultResult = z.infer<typeof result>;

export class SavedResults {
  readonly #tree: string;
  readonly results: Map<string, FaultResult>;
  readonly passing: Set<string>;
  readonly failing: Set<string>;

  private constructor({ tree, results, passing, failing }: z.infer<typeof saved>) {
    this.#tree = tree;
    this.results = new Map(Object.entries(results));
    this.passing = new Set(passing);
    this.failing = new Set(failing);
  }

  /** Empty if the tree has changed since. */
  static read(tree: string): SavedResults {
    const stored = existsSync(FILE) ? saved.safeParse(JSON.parse(readFileSync(FILE, 'utf8'))) : null;
    const isSame = stored?.success === true && stored.data.tree === tree;
    return new SavedResults(isSame ? stored.data : { tree, results: {}, passing: [], failing: [] });
  }

  save(): void {
    mkdirSync('node_modules/.cache', { recursive: true });
    const { passing, failing, results } = this;
    const content = {
      tree: this.#tree,
      results: Object.fromEntries(results),
      passing: [...passing],
      failing: [...failing],
    };
    writeFileSync(FILE, JSON.stringify(content, null, 2));
  }
}
