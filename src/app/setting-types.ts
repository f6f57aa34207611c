/** Kinds of values that several settings have. */
import { z } from 'zod';

export const webUrl = z.url({ protocol: /^https?$/ });
export const onOff = z.enum(['on', 'off']);
export const wholeNumber = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);
