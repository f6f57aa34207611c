import type { ReactNode } from 'react';
import { Link, useRouteLoaderData } from 'react-router';

/** What the root loader returns about legal texts. */
export interface LegalData {
  /** Link texts of the published legal texts; each is a page at its text in lower case. And of the withdrawal. */
  readonly legal: readonly string[];
}

/** Link texts of the published legal texts. */
export const useLegalTexts = (): readonly string[] => useRouteLoaderData<LegalData>('root')?.legal ?? [];

interface LegalLinkProps {
  /** Text of the footer's link. */
  readonly of: 'Terms' | 'Privacy' | 'Returns';
  readonly children: ReactNode;
}

/** A link to a legal text; plain text while none is published. */
export function LegalLink({ of, children }: LegalLinkProps) {
  return useLegalTexts().includes(of) ? <Link to={`/${of.toLowerCase()}`}>{children}</Link> : children;
}
