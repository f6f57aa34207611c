/** Accounts of the demo shop. Live mode refuses to start while one of them exists. */
export const DEMO_PASSWORD = 'crypto-market';

export interface DemoUser {
  readonly username: string;
  readonly email: string;
  readonly role: 'customer' | 'manager' | 'owner';
}

export const demoUsers: readonly DemoUser[] = [
  { username: 'alice', email: 'alice@example.com', role: 'customer' },
  { username: 'bob', email: 'bob@example.com', role: 'customer' },
  { username: 'staff', email: 'staff@example.com', role: 'manager' },
  { username: 'owner', email: 'owner@example.com', role: 'owner' },
];
