/** Passkeys of this browser. Imported by pages that need them only. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiFailure } from '#src/storefront/api.ts';

/** By the name of the browser's error. */
const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey was not used: cancelled, or it took too long. Try again',
  AbortError: 'The passkey was not used: cancelled, or it took too long. Try again',
  InvalidStateError: 'This device has a passkey of your account already',
  SecurityError: 'Passkeys do not work at this address of the shop. Open the shop at its public address',
};

/** Runs a request to the browser. Its errors become refusals with a message. */
async function ask<Result>(request: () => Promise<Result>): Promise<Result> {
  if (!browserSupportsWebAuthn()) {
    throw new ApiFailure(
      400,
      'no-passkeys',
      'This browser does not support passkeys here. Use a recent browser and https',
    );
  }
  try {
    return await request();
  } catch (error) {
    const message = error instanceof Error ? MESSAGES[error.name] : undefined;
    throw new ApiFailure(400, 'no-passkey', message ?? 'The browser could not use the passkey. Try again');
  }
}

/** Creates a passkey. @throws ApiFailure */
export const createPasskey = async (optionsJSON: PublicKeyCredentialCreationOptionsJSON) => {
  const { id, rawId, type, response } = await ask(() => startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
};

/** Signs a challenge with a passkey. @throws ApiFailure */
export const signWithPasskey = async (optionsJSON: PublicKeyCredentialRequestOptionsJSON) => {
  const { id, rawId, type, response } = await ask(() => startAuthentication({ optionsJSON }));
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature } };
};
