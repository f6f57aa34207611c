/** Settings of uploaded pictures: a directory by default, or a bucket. */
import { z } from 'zod';
import type { BucketSettings } from '#src/platform/pictures/bucket-storage.ts';

const GB = 1_000_000_000n;
const BUCKET_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)?\/?)?$/;

/** Fields of the schema of all settings. */
export const uploadsShape = {
  UPLOADS_URL: z.string().regex(BUCKET_URL, { message: 'must be s3://bucket or s3://bucket/prefix' }).optional(),
  UPLOADS_MAX_GB: z.coerce.number().int().min(1).max(100_000).default(10),
  UPLOADS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  UPLOADS_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, { message: 'must be a region, such as eu-central-1' })
    .default('us-east-1'),
  UPLOADS_ACCESS_KEY_ID: z.string().min(1).optional(),
  UPLOADS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  UPLOADS_PATH_STYLE: z.enum(['on', 'off']).default('off'),
};
type UploadsEnvironment = z.output<z.ZodObject<typeof uploadsShape>>;

export interface UploadsSettings {
  readonly maxBytes: bigint;
  /** Null: a directory in DATA_DIR. */
  readonly bucket: BucketSettings | null;
}

export function findUploadsProblems(env: UploadsEnvironment): string[] {
  if (env.UPLOADS_URL === undefined) return [];
  const problems = (['UPLOADS_ACCESS_KEY_ID', 'UPLOADS_SECRET_ACCESS_KEY'] as const)
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: UPLOADS_URL requires it`);
  const { username = '', search = '' } = env.UPLOADS_ENDPOINT === undefined ? {} : new URL(env.UPLOADS_ENDPOINT);
  if (username !== '' || search !== '') problems.push('UPLOADS_ENDPOINT: must not contain a user, password or query');
  return problems;
}

export function parseUploads(env: UploadsEnvironment): UploadsSettings {
  const maxBytes = BigInt(env.UPLOADS_MAX_GB) * GB;
  const [, bucket, prefix] = BUCKET_URL.exec(env.UPLOADS_URL ?? '') ?? [];
  if (bucket === undefined) return { maxBytes, bucket: null };
  return {
    maxBytes,
    bucket: {
      bucket,
      prefix: prefix === undefined ? '' : `${prefix}/`,
      endpoint: (env.UPLOADS_ENDPOINT ?? `https://s3.${env.UPLOADS_REGION}.amazonaws.com`).replace(/\/+$/, ''),
      region: env.UPLOADS_REGION,
      accessKeyId: env.UPLOADS_ACCESS_KEY_ID ?? '',
      secretAccessKey: env.UPLOADS_SECRET_ACCESS_KEY ?? '',
      isPathStyle: env.UPLOADS_PATH_STYLE === 'on',
    },
  };
}
