import type { FastifyRequest } from 'fastify';

/** Whether the client closed the connection before its request was complete: no handler has run. */
export const isAborted = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => raw.destroyed && !raw.complete;

/**
 * Whether the client is known by its address. One that left before its connection was accepted is not:
 * it reads no response, and no limit could count it. Later the address is known even if the client leaves.
 */
export const hasAddress = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => raw.socket.remoteAddress !== undefined;
