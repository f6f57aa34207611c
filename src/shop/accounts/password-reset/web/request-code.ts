import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { describeNotSent, NOT_SENT, SENT } from './reset-failure.ts';

/** Requests a code and shows a toast. Returns null on success. */
export async function requestCode(email: string): Promise<{ readonly detail: string | null } | null> {
  try {
    await call('POST /users/request-password-reset', { body: { email } });
    showToast('success', SENT);
    return null;
  } catch (error) {
    if (!isRefusal(error)) logError('Requesting a reset code failed', error);
    const detail = describeNotSent(error);
    showToast('error', NOT_SENT, detail);
    return { detail };
  }
}
