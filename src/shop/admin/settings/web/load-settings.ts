import type { LoaderFunctionArgs } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import { readRole, requireStaff } from '../../kit/staff-page.ts';

/** Loads a page of the settings. */
export async function loadSettings(args: LoaderFunctionArgs, path: string) {
  const read = requireStaff(args, path, 'settings');
  return {
    stored: await read('GET /shop/settings').catch(() => null),
    mayChange: mayUse(readRole(args), 'settings-changes'),
  };
}
