import { throwNotFound } from '../page/page-responses.ts';

/** Every path that no other route takes. */
export const loader = (): never => throwNotFound();

export default function NotFoundPage() {
  return null;
}
