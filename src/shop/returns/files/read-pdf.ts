/** Where a file must begin (ISO 32000-2, 7.5.2). */
const STARTS = ['%PDF-1.', '%PDF-2.'].map((start) => Buffer.from(start, 'latin1'));
/** How far from its end readers look for the trailer. */
const TRAILER_BYTES = 1024;
/** Where the references are, and the end of the file (ISO 32000-2, 7.5.5). */
const TRAILER = /startxref\s+\d+\s+%%EOF/;

/**
 * Whether the bytes are a whole PDF by their first and last bytes: 'cut' if the end is missing, as after an interrupted
 * download, null if they are none. Its pages are not read. Pure.
 */
export function readPdf(bytes: Buffer): 'whole' | 'cut' | null {
  if (!STARTS.some((start) => bytes.subarray(0, start.length).equals(start))) return null;
  return TRAILER.test(bytes.subarray(-TRAILER_BYTES).toString('latin1')) ? 'whole' : 'cut';
}
