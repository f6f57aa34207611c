import { ROLE_NAMES, STAFF_ROLES } from '#src/shop/permissions.ts';
import type { Role } from '#src/shop/permissions.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { summariseRole } from '../describe-role.ts';
import styles from './team-page.module.css';

interface RoleChoiceProps {
  readonly current: Role;
  /** Username. */
  readonly of: string;
}

/** The roles of the team, each with what it may do. */
export const RoleChoice = ({ current, of }: RoleChoiceProps) => (
  <Stack as="fieldset" gap={8}>
    <legend className="visually-hidden">Role of {of}</legend>
    {STAFF_ROLES.map((role) => (
      <label key={role} className={styles.role}>
        <input type="radio" name="role" value={role} defaultChecked={role === current} />
        {ROLE_NAMES[role]}
        <span className="muted small">{summariseRole(role)}</span>
      </label>
    ))}
  </Stack>
);
