import type { WireResponse } from '#src/shop/codecs.ts';
import type { secondFactorApi } from '#src/shop/accounts/second-factor/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { describeDone } from './describe-done.ts';

type Passkey = WireResponse<(typeof secondFactorApi)['GET /second-factor']>['passkeys'][number];

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  /** What happens to the account when its only factor is removed; null: another factor remains. */
  readonly lastMeaning: string | null;
  /** A change is waiting: none can be made. */
  readonly isWaiting: boolean;
  /** Called with the recovery codes of a first factor. */
  readonly onCodes: (codes: readonly string[]) => void;
}

/** The visitor's own passkeys: list, add, remove. */
export function Passkeys({ passkeys, lastMeaning, isWaiting, onCodes }: PasskeysProps) {
  return (
    <Section title="Passkeys" surface="outlined">
      <p className="muted measure">
        A passkey is your fingerprint, face, screen lock or a security key. Fake pages can’t steal it.
      </p>
      {passkeys.length > 0 && (
        <Stack as="ul">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow
                passkey={passkey}
                lastMeaning={passkeys.length === 1 ? lastMeaning : null}
                isWaiting={isWaiting}
              />
            </li>
          ))}
        </Stack>
      )}
      {!isWaiting && <AddPasskey isFirst={passkeys.length === 0} onCodes={onCodes} />}
    </Section>
  );
}

const AddPasskey = ({ isFirst, onCodes }: { readonly isFirst: boolean } & Pick<PasskeysProps, 'onCodes'>) => (
  <ConfirmedAction
    button="Add a passkey"
    variant={isFirst ? 'primary' : 'secondary'}
    question="Add a passkey?"
    meaning={<p>Your browser asks you to choose a device and to unlock it.</p>}
    confirm="Continue"
    done={describeDone('The passkey was added')}
    onConfirm={async (data) => {
      const added = await add(readText(data, 'name'));
      onCodes(added.recovery_codes);
      return added;
    }}
  >
    <Field
      label="Name of the passkey"
      name="name"
      hint="To tell your passkeys apart, such as the device."
      required
      maxLength={60}
      autoComplete="off"
    />
  </ConfirmedAction>
);

async function add(name: string) {
  // Loaded here: most visits of the page add no passkey.
  const { createPasskey } = await import('#src/shop/accounts/second-factor/web/browser-passkeys.ts');
  const credential = await createPasskey(await call('POST /second-factor/passkey-options'));
  return call('POST /second-factor/passkeys', { body: { name, credential } });
}

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly lastMeaning: string | null;
  readonly isWaiting: boolean;
}

const PasskeyRow = ({
  passkey: { id, name, created_at: createdAt, last_used_at: lastUsedAt },
  lastMeaning,
  isWaiting,
}: PasskeyRowProps) => (
  <Row gap={24} rowGap={12} justify="between">
    <div>
      <p className="wrap-anywhere">{name}</p>
      <p className="muted measure">
        Added <Moment at={createdAt} shows="moment" />,{' '}
        {lastUsedAt === null ? (
          'not used yet'
        ) : (
          <>
            last used <Moment at={lastUsedAt} shows="moment" />
          </>
        )}
      </p>
    </div>
    {!isWaiting && (
      <ConfirmedAction
        button="Remove"
        label={`Remove ${name}`}
        isDestructive
        question={`Remove the passkey ${name}?`}
        meaning={<p>{lastMeaning ?? 'It can no longer be used to log in.'}</p>}
        confirm="Remove"
        done={describeDone('The passkey was removed')}
        onConfirm={() => call('DELETE /second-factor/passkeys/{id}', { params: { id } })}
      />
    )}
  </Row>
);
