import { data, redirect } from 'react-router';
import { isRefusal } from '#src/storefront/api.ts';

/** Replaces the token in the URL after confirmation. */
const DONE = 'done';

export const isConfirmed = (token: string | undefined): boolean => token === DONE;

/**
 * Requires a button press, because mail scanners open links.
 * @param path of the page, without the token
 */
export async function confirmByLink(confirm: (token: string) => Promise<unknown>, path: string, token = '') {
  try {
    await confirm(token.slice(0, 100));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ status: error.status }, { status: error.status });
  }
  return redirect(`${path}/${DONE}`, 303);
}
