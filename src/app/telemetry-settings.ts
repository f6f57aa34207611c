/** Settings of metrics and traces. */
import { z } from 'zod';
import type { TelemetrySettings } from '#src/platform/telemetry/open-telemetry.ts';

/** Names of the OpenTelemetry specification. Each trace begins here, so a parent makes no difference. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Fields of the schema of all settings. */
export const telemetryShape = {
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('shop'),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};
type TelemetryEnvironment = z.output<z.ZodObject<typeof telemetryShape>>;

export const findTelemetryProblems = ({ METRICS_PORT, PORT }: TelemetryEnvironment & { PORT: number }): string[] =>
  METRICS_PORT === PORT ? ['METRICS_PORT: must not be PORT: metrics would be public'] : [];

const findRatio = ({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }: TelemetryEnvironment): number => {
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('traceidratio') ? ratio : 1;
};

export const parseTelemetry = (env: TelemetryEnvironment): TelemetrySettings => ({
  metrics: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
  traces:
    env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? null
      : {
          endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ''),
          serviceName: env.OTEL_SERVICE_NAME,
          ratio: findRatio(env),
        },
});
