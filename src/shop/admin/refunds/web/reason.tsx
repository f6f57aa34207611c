import { TextArea } from '#src/ui/fields/text-area.tsx';
import { MAX_REASON } from '../../kit/form-text.ts';

/** @param to the action, for example "enter it". */
export const Reason = ({ to }: { readonly to: string }) => (
  <TextArea label={`Why you ${to}, for staff only`} name="reason" rows={2} required maxLength={MAX_REASON} />
);
