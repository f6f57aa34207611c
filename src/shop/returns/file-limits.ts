/** What a return may have as files. Pure, and safe for the browser. */
import type { ReturnCause, ReturnState } from './kinds.ts';

export const MAX_PICTURES = 5;
/** Of one picture as it is sent. */
export const MAX_PICTURE_MB = 10;
export const MAX_LABEL_MB = 2;

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
