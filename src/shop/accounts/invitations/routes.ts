import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { invitationsApi } from './contract.ts';
import type { AcceptResult, Invitations, InviteResult, RegisterResult } from './service.ts';

const changing = { points: 60, seconds: 60, by: 'caller' } as const;
const ofAddress = { points: 60, seconds: 60, by: 'ip', isShared: true } as const;

const createTooOften = (refused: { readonly retryAfterSeconds: number }): Refusal =>
  new Refusal(429, 'too-often', 'Too many invitations were sent. Try again later', refused);
const createClosed = (): Refusal =>
  new Refusal(409, 'invitation-closed', 'This invitation was used or withdrawn, or it has expired');

export function createInvitationRoutes(invitations: Invitations): RoutesOf<typeof invitationsApi> {
  return {
    'GET /staff/invitations': { who: 'team', limit: changing, handle: () => invitations.list() },
    'POST /staff/invitations': {
      who: 'team-changes',
      limit: changing,
      handle: async ({ body: { email, role }, caller }) => {
        const invited = await invitations.invite(email, role, toStaffActor(caller));
        return invited.ok ? invitations.list() : toInviteRefusal(invited);
      },
    },
    'POST /staff/invitations/{id}/resend': {
      who: 'team-changes',
      limit: changing,
      handle: async ({ params: { id }, caller }) => {
        const sent = await invitations.resend(id, toStaffActor(caller));
        if (sent.ok) return invitations.list();
        return sent.reason === 'too-often' ? createTooOften(sent) : createNotFound();
      },
    },
    'DELETE /staff/invitations/{id}': {
      who: 'team-changes',
      limit: changing,
      handle: async ({ params: { id }, caller }) =>
        (await invitations.withdraw(id, toStaffActor(caller))) ? invitations.list() : createNotFound(),
    },
    'POST /invitations/read': {
      who: 'anyone',
      limit: ofAddress,
      handle: async ({ body: { token } }) => {
        const found = await invitations.find(token);
        return found ? { state: found.state, email: found.email, role: found.role } : createNotFound();
      },
    },
    'POST /invitations/accept': {
      who: 'user',
      limit: changing,
      handle: async ({ body: { token }, caller, reply }) => {
        const accepted = await invitations.accept(token, caller.identity, toStaffActor(caller));
        if (!accepted.ok) return toAcceptRefusal(accepted);
        reply.recordSecurityEvent('role_changed', { targetId: caller.identity.userId });
        return { role: accepted.role };
      },
    },
    'POST /invitations/register': {
      who: 'anyone',
      limit: ofAddress,
      handle: async ({ body, caller: { ip, userAgent = null }, reply }) => {
        const registered = await invitations.register({ ...body, ip, userAgent });
        if (!registered.ok) return toRegisterRefusal(registered);
        const { userId, username } = registered;
        reply.recordSecurityEvent('role_changed', { userId, targetId: userId });
        return { username };
      },
    },
  };
}

function toInviteRefusal(refused: Extract<InviteResult, { ok: false }>): Refusal {
  if (refused.reason === 'too-often') return createTooOften(refused);
  return refused.reason === 'already-member'
    ? new Refusal(409, refused.reason, 'An account with this address belongs to the team already')
    : new Refusal(409, refused.reason, 'This address has an open invitation. Send it again, or withdraw it first');
}

function toAcceptRefusal({ reason }: Extract<AcceptResult, { ok: false }>): Refusal {
  switch (reason) {
    case 'not-found':
      return createNotFound();
    case 'invitation-closed':
      return createClosed();
    case 'other-account':
      return new Refusal(403, reason, 'The invitation is for another address. Log in with the account of that address');
    case 'already-member':
      return new Refusal(409, reason, 'Your account belongs to the team already. Ask an owner to change its role');
    default:
      return reason satisfies never;
  }
}

function toRegisterRefusal(refused: Extract<RegisterResult, { ok: false }>): Refusal {
  switch (refused.reason) {
    case 'not-found':
      return createNotFound();
    case 'invitation-closed':
      return createClosed();
    case 'busy':
      return new Refusal(503, 'busy', 'The shop is very busy. Please try again in a moment.', { retryAfterSeconds: 5 });
    case 'too-often':
      return new Refusal(429, 'too-often', 'Too many accounts were created from your network', refused);
    case 'taken':
      return new Refusal(409, 'taken', 'Registration failed', { fields: refused.fields });
    case 'refused':
      return new Refusal(400, 'invalid', 'Registration failed', { fields: refused.fields });
    default:
      return refused satisfies never;
  }
}
