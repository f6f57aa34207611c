const STARTS = ['%PDF-1.', '%PDF-2.'].map((start) => Buffer.from(start, 'latin1'));

/** Whether the bytes start as a PDF (ISO 32000-2, 7.5.2). Pure. */
export const isPdf = (bytes: Buffer): boolean => STARTS.some((start) => bytes.subarray(0, start.length).equals(start));
