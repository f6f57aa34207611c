/** Settings of webhooks and API keys. */
import { z } from 'zod';
import { NOTHING_PRIVATE, parseAllowedPrivate } from '#src/platform/outbound/address-policy.ts';
import type { WebhookRules } from '#src/shop/webhooks/deliveries/service.ts';
import { FIRST_RETRY_MS } from '#src/shop/webhooks/retry-schedule.ts';

/** Fields of the schema of all settings. */
export const integrationsShape = {
  WEBHOOK_ALLOW_PRIVATE: z
    .string()
    .refine((text) => parseAllowedPrivate(text) !== null, {
      message: 'must be addresses, networks or host names, such as 10.0.0.0/8,erp.internal',
    })
    .optional(),
  WEBHOOK_ALLOW_HTTP: z.enum(['on', 'off']).optional(),
  WEBHOOK_TIMEOUT_MS: z.coerce.number().int().min(100).max(15_000).default(15_000),
  WEBHOOK_FIRST_RETRY_MS: z.coerce.number().int().min(10).max(60_000).default(FIRST_RETRY_MS),
  API_KEY_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(600),
};
type IntegrationsEnvironment = z.output<z.ZodObject<typeof integrationsShape>>;

export interface IntegrationSettings {
  readonly webhooks: WebhookRules;
  readonly apiKeyCallsPerMinute: number;
}

/** Without TLS, events could be read on the way: in live mode only if the setting allows it. */
const isHttpAllowed = (setting: IntegrationsEnvironment['WEBHOOK_ALLOW_HTTP'], mode: 'demo' | 'live'): boolean =>
  (setting ?? (mode === 'demo' ? 'on' : 'off')) === 'on';

export const parseIntegrations = (env: IntegrationsEnvironment, mode: 'demo' | 'live'): IntegrationSettings => ({
  webhooks: {
    allowed: parseAllowedPrivate(env.WEBHOOK_ALLOW_PRIVATE ?? '') ?? NOTHING_PRIVATE,
    isHttpAllowed: isHttpAllowed(env.WEBHOOK_ALLOW_HTTP, mode),
    timeoutMs: env.WEBHOOK_TIMEOUT_MS,
    firstRetryMs: env.WEBHOOK_FIRST_RETRY_MS,
  },
  apiKeyCallsPerMinute: env.API_KEY_CALLS_PER_MINUTE,
});
