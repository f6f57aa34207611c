/** A parsed cell, or why it is invalid. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

export const accept = <Value>(value: Value): Parsed<Value> => ({ ok: true, value });
export const reject = (reason: string): { readonly ok: false; readonly reason: string } => ({ ok: false, reason });

/** A text of a file as messages quote it. */
export const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`);
