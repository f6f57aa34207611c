import { describeFailure } from '../../web/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';

export const NOT_SENT = 'Failed to send reset code. Please try again.';

/** Requests a code and shows a toast. Returns null on success. */
export async function requestCode(email: string): Promise<{ readonly detail: string | null } | null> {
  try {
    await call('POST /users/request-password-reset', { body: { email } });
    showToast('success', 'Reset code has been sent to your email');
    return null;
  } catch (error) {
    if (!isRefusal(error)) logError('Requesting a reset code failed', error);
    const isMistyped = isRefusal(error) && error.fields['email'] !== undefined;
    const detail = isMistyped ? 'Please enter a valid email address' : describeFailure(error);
    showToast('error', NOT_SENT, detail);
    return { detail };
  }
}
