/** Messages of the live channel in both directions: JSON objects with a type. */
import type { RawData } from 'ws';

export interface LiveMessage {
  readonly type: string;
  readonly data?: unknown;
  /** Of an error. */
  readonly code?: string;
}

/** A message of an authenticated client; only its type is parsed. */
export interface LiveFrame extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

/** Null unless the text is a JSON object with a type. */
export function parseFrame(data: RawData): LiveFrame | null {
  try {
    const frame: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '');
    return isFrame(frame) ? frame : null;
  } catch {
    return null;
  }
}

const isFrame = (frame: unknown): frame is LiveFrame =>
  typeof frame === 'object' && frame !== null && 'type' in frame && typeof frame.type === 'string';
