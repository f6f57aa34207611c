import { AccountFrame } from '../../web/account-frame.tsx';

/** Before the second factor, while what the account offers is loaded. */
export const LoadingFactors = () => (
  <AccountFrame title="Two-step login" lead="Loading what your account can log in with." footer={null}>
    {null}
  </AccountFrame>
);
