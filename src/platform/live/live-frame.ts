/** What is said by the live channel, in both directions: objects in JSON, told apart by their type. */
import type { RawData } from 'ws';

export interface LiveMessage {
  readonly type: string;
  readonly data?: unknown;
  /** Of an error. */
  readonly code?: string;
}

/** What somebody who is signed in says, taken apart no further than its type. */
export interface LiveFrame extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

/** Null for anything but an object in JSON with a type. */
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
