/** What a return may have as files. Pure. */
import type { ReturnCause, ReturnState } from '../kinds.ts';

export const MAX_PICTURES = 5;
const MB = 1024 * 1024;
/** Of one picture as it is sent. */
export const MAX_PICTURE_BYTES = 10 * MB;
export const MAX_LABEL_BYTES = 2 * MB;

/** Until the inspection, which decides by the goods themselves. */
const OPEN_STATES: ReadonlySet<ReturnState> = new Set(['requested', 'approved', 'in-transit', 'received']);

/** Whether the buyer can add and remove pictures: of a defect, while the return is open and not inspected. */
export const mayChangePictures = ({
  cause,
  state,
}: {
  readonly cause: ReturnCause;
  readonly state: ReturnState;
}): boolean => cause === 'defect' && OPEN_STATES.has(state);

const PDF_START = Buffer.from('%PDF-1.', 'latin1');
const PDF_2_START = Buffer.from('%PDF-2.', 'latin1');

/** Whether the bytes start as a PDF (ISO 32000-2, 7.5.2). */
export const isPdf = (bytes: Buffer): boolean =>
  [PDF_START, PDF_2_START].some((start) => bytes.subarray(0, start.length).equals(start));
