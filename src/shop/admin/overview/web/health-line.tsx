import { Moment } from '#src/storefront/moment.tsx';
import { Badge } from '#src/ui/display/badge.tsx';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import type { PartHealth } from '../../settings/contract.ts';
import { describeHealth } from '../../settings/describe-health.ts';
import { Health } from '../../settings/web/environment.tsx';

interface HealthLineProps {
  readonly parts: readonly PartHealth[];
  /** When the newest backup was written; null if none is recorded, undefined if that is unknown. */
  readonly backupAt: string | null | undefined;
}

/** OPS-05: the state of all parts in one line, which opens. */
export function HealthLine({ parts, backupAt }: HealthLineProps) {
  const { text, tone, word } = describeHealth(parts);
  return (
    <Disclosure
      summary={
        <>
          <Badge tone={tone}>{word}</Badge>
          <span>{text}</span>
        </>
      }
    >
      <Stack gap={12}>
        <Health parts={parts} />
        {backupAt !== undefined && <LastBackup at={backupAt} />}
      </Stack>
    </Disclosure>
  );
}

const LastBackup = ({ at }: { readonly at: string | null }) => (
  <p className="muted small wrap-anywhere">
    {at === null ? (
      <Unbroken text='No backup is recorded. Only those of the back office, of "npm run db -- backup", and those reported with "backup-done" are known here.' />
    ) : (
      <>
        Last backup: <Moment at={at} shows="moment" />
      </>
    )}
  </p>
);
