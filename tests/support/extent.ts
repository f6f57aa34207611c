/** How much a run covers. Usually a part of what is slow; everything with THOROUGH=1 (docs/testing.md). */
export const isThorough = process.env['THOROUGH'] === '1';
