import { Fragment } from 'react';
import styles from './wallet-address.module.css';

/** An address in groups of four to compare by eye. Selected and copied, it has no spaces. */
export const WalletAddress = ({ address }: { readonly address: string }) => (
  <code translate="no" className={styles.address}>
    {[...address.matchAll(/.{1,4}/g)].map(({ 0: group, index }) => (
      <Fragment key={index}>
        <span>{group}</span>
        <wbr />
      </Fragment>
    ))}
  </code>
);
