import { throwNotFound } from '../page/page-outcomes.ts';

/** Every path that no other route takes. */
export const loader = (): never => throwNotFound();

export default function NotFoundPage() {
  return null;
}
