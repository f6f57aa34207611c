/** Routes whose body is raw bytes. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify';
import { Refusal } from './call.ts';

/** A form of another site cannot send this type; a script of one would need permission (CORS). */
const TYPE = 'application/octet-stream';

const createBusy = (): Refusal =>
  new Refusal(503, 'overloaded', 'Other files are being uploaded. Please try again in a moment', {
    retryAfterSeconds: 3,
  });
const createWrongType = (): Refusal => new Refusal(415, 'unsupported-type', `The body must be ${TYPE}`);

/** The account that sends a request. */
const callers = new WeakMap<FastifyRequest, string>();
/** Counts the request as one of this account. */
export const noteCaller = (request: FastifyRequest, userId: string): void => void callers.set(request, userId);

interface BinaryRouteOptions {
  /** Maximum open requests; further ones are refused before their body is read. */
  readonly maxOpen: number | undefined;
  /** Of one account. */
  readonly maxOpenOfCaller: number | undefined;
  readonly sendRefusal: (reply: FastifyReply, refusal: Refusal) => FastifyReply;
}

/** Registers the route in a scope of its own, so that all other routes accept JSON only. */
export function registerBinaryRoute(
  fastify: FastifyInstance,
  route: RouteOptions,
  { maxOpen = Infinity, maxOpenOfCaller = Infinity, sendRefusal }: BinaryRouteOptions,
): void {
  let open = 0;
  const openByCaller = new Map<string, number>();
  const change = (caller: string, by: 1 | -1): void => {
    open += by;
    const count = (openByCaller.get(caller) ?? 0) + by;
    if (count > 0) openByCaller.set(caller, count);
    else openByCaller.delete(caller);
  };
  const limitOpen: onRequestAsyncHookHandler = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callers.get(request) ?? '';
    if (open >= maxOpen || (openByCaller.get(caller) ?? 0) >= maxOpenOfCaller) return sendRefusal(reply, createBusy());
    change(caller, 1);
    reply.raw.once('close', () => change(caller, -1));
    return undefined;
  };
  const { onRequest: before = [] } = route;
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(TYPE, { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.setErrorHandler((error, _request, reply) => {
      const isWrongType = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
      // The handler of the server sends all other errors.
      if (!isWrongType) throw error;
      return sendRefusal(reply, createWrongType());
    });
    scope.route({ ...route, onRequest: [...(Array.isArray(before) ? before : [before]), limitOpen] });
    done();
  });
}
