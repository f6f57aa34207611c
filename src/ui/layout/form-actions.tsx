import type { ReactNode } from 'react';
import { Row } from './row.ts';

interface FormActionsProps {
  /** Whether something is unsaved, for example. Announced when it changes. */
  readonly state?: string;
  readonly className?: string | undefined;
  /** The buttons. */
  readonly children: ReactNode;
}

/** The buttons of a form, and what state it is in. */
export const FormActions = ({ state, className, children }: FormActionsProps) => (
  <Row className={className}>
    {children}
    {state !== undefined && <output className="muted small">{state}</output>}
  </Row>
);
