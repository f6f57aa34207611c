/** Headers of the Standard Webhooks specification. */
import { Webhook } from 'standardwebhooks';

/**
 * Signs a body once per secret, with a space between the signatures.
 * @param secrets such as `whsec_…` @param now of the attempt: receivers refuse old ones
 */
export function signWebhook(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Crypto-Market-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
