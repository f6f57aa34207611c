import { useState } from 'react';
import { call } from '#src/storefront/call.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { QrCode } from '#src/ui/copy/qr-code.tsx';
import { DirectAction } from '../../kit/direct-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { describeDone } from './describe-done.ts';
import styles from './set-up.module.css';

interface SetUpProps {
  /** Called with the recovery codes. */
  readonly onCodes: (codes: readonly string[]) => void;
}

/** Shows the secret of an authenticator app, and turns it on with a first code. */
export function SetUp({ onCodes }: SetUpProps) {
  const [started, setStarted] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  if (started === null) {
    return (
      <DirectAction
        button="Set up authenticator app"
        meaning="Have your phone ready, with any authenticator app."
        done="Scan the code with your app"
        onSubmit={async () => setStarted(await call('POST /second-factor'))}
      />
    );
  }
  const { secret, uri } = started;
  return (
    <Row gap={24} align="start">
      <div className={styles.code}>
        <QrCode content={uri} label="QR code for the authenticator app" link={secret} copyLabel="Copy the secret" />
      </div>
      <div className={styles.text}>
        <p>Scan this code with your app, or type the secret:</p>
        <Row as="p" gap={8}>
          <code translate="no">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret} contentName="secret" variant="quaternary" />
        </Row>
        <DirectAction
          button="Turn on"
          variant="primary"
          meaning="All your other devices are logged out."
          done={describeDone('The authenticator app is on')}
          onSubmit={async (data) => {
            const body = { code: readText(data, 'code') };
            const confirmed = await call('POST /second-factor/confirm', { body });
            onCodes(confirmed.recovery_codes);
            return confirmed;
          }}
        >
          <Field
            label="Code of the app"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={16}
          />
        </DirectAction>
      </div>
    </Row>
  );
}
