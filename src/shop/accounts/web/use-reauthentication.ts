import { useQuestion } from '#src/ui/dialog/use-question.ts';
import { isReauthenticationRequired } from './update-messages.ts';

/** Calls that need a recent password. The caller shows a `ReauthenticateForm` while `isAsking`. */
export function useReauthentication() {
  const { isOpen: isAsking, ask, answer } = useQuestion();
  /** Makes the call again after the password. Without it, the refusal is thrown. */
  const repeat = async (send: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        await send();
        return;
      } catch (error) {
        if (!isReauthenticationRequired(error) || !(await ask())) throw error;
      }
    }
  };
  return { isAsking, answer, repeat };
}
