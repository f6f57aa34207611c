import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Columns } from '#src/ui/layout/columns.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** When they replace the present ones. Null: they have. */
  readonly validFrom: string | null;
  /** The visitor has stored them. */
  readonly onStored: () => void;
}

/** New recovery codes. They are shown this once. */
export function RecoveryCodes({ codes, validFrom, onStored }: RecoveryCodesProps) {
  return (
    <Section title="Your recovery codes" surface="outlined">
      <p className="muted measure">
        Store them where you find them without your phone. Each logs you in once without your passkey or app. They are
        not shown again.
        {validFrom !== null && (
          <span>
            {' '}
            They are valid from <Moment at={validFrom} shows="moment" />, unless you cancel the change; the present ones
            until then.
          </span>
        )}
      </p>
      <Columns as="ul" width={14} gap={24} rowGap={8} className="tabular">
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </Columns>
      <Row align="start">
        <CopyButton text={codes.join('\n')} contentName="recovery codes" label="Copy recovery codes" />
        <Button variant="secondary" onClick={onStored}>
          I have stored them
        </Button>
      </Row>
    </Section>
  );
}
