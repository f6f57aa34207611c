import { TimeSlice } from '#src/platform/process/time-slice.ts';

const PIECE_LENGTH = 32_768;

/** Joins lines to pieces of a size that is worth sending. Other calls run meanwhile. */
export async function* joinLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  const slice = new TimeSlice();
  let piece = '';
  for await (const line of lines) {
    piece += line;
    await slice.pause();
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
