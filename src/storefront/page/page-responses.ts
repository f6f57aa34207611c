/** Responses that a loader throws to end without data; React Router handles them. */
import { data, redirect } from 'react-router';
import { isApiFailure } from '../api.ts';

/** 404 Not Found. */
export function throwNotFound(): never {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router expects a thrown Response
  throw data(null, { status: 404, statusText: 'Not Found' });
}

/** Redirects the visitor. */
export function throwRedirect(path: string): never {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router expects a thrown Response
  throw redirect(path);
}

/** Redirects the visitor for good. */
export function throwMoved(path: string): never {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router expects a thrown Response
  throw redirect(path, 301);
}

/**
 * `call(…).catch(rethrowAsNotFound)`: a 404 of the API is a 404 of the page, and so is a 400, since a page asks for what
 * its address names.
 */
export function rethrowAsNotFound(error: unknown): never {
  if (isApiFailure(error) && (error.status === 404 || error.status === 400)) throwNotFound();
  throw error;
}
