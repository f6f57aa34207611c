import { missingPage } from '../page/page-outcomes.ts';

/** Every path that no other route takes. */
export const loader = (): never => missingPage();

export default function NotFoundPage() {
  return null;
}
