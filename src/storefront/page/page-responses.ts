/** How a loader ends without an answer: React Router takes what is thrown here, though it is no error. */
import { data, redirect } from 'react-router';
import { isApiFailure } from '../api.ts';

/** The page is not there. */
export function throwNotFound(): never {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router's way
  throw data(null, { status: 404, statusText: 'Not Found' });
}

/** The visitor is sent elsewhere. */
export function throwRedirect(path: string): never {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router's way
  throw redirect(path);
}

/** `call(…).catch(missingIs404)`: what the shop does not have is a page that is not there. */
export function rethrowAsNotFound(error: unknown): never {
  if (isApiFailure(error) && error.status === 404) throwNotFound();
  throw error;
}
