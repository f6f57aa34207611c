/** Histories with consecutive seeds, which one process plays. */
export interface Part {
  readonly seed: number;
  readonly count: number;
}

/** What is wrong with the histories of a part, or why none of them is named: 'the shop was not ready'. */
export type Outcome =
  | { readonly isPlayed: true; readonly faults: readonly string[] }
  | { readonly isPlayed: false; readonly reason: string };

export interface PlayingOptions {
  /** Parts at a time. */
  readonly lanes: number;
  readonly play: (part: Part) => Promise<Outcome>;
  /** Called once for each part that was played. */
  readonly onPlayed: (part: Part, faults: readonly string[]) => void;
}

const MAX_REPEATS = 2;

/**
 * Plays parts beside each other. Those that were not played, such as on a busy machine, are repeated alone afterwards.
 * @returns those that were not played then either, with the last reason
 */
export async function playParts(
  parts: readonly Part[],
  { lanes, play, onPlayed }: PlayingOptions,
): Promise<readonly { readonly part: Part; readonly reason: string }[]> {
  const waiting = [...parts];
  const failed: Part[] = [];
  const playLane = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const outcome = await play(part);
      if (outcome.isPlayed) onPlayed(part, outcome.faults);
      else failed.push(part);
    }
  };
  await Promise.all(Array.from({ length: lanes }, playLane));

  const notPlayed: { readonly part: Part; readonly reason: string }[] = [];
  for (const part of failed) {
    let outcome = await play(part);
    for (let repeats = 1; !outcome.isPlayed && repeats < MAX_REPEATS; repeats += 1) outcome = await play(part);
    if (outcome.isPlayed) onPlayed(part, outcome.faults);
    else notPlayed.push({ part, reason: outcome.reason });
  }
  return notPlayed;
}
