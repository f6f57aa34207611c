interface Changed {
  /** Null: the change has taken effect. */
  readonly takes_effect_at: string | null;
}

/** Toast after a change. @param done if it has taken effect */
export const describeDone =
  (done: string) =>
  ({ takes_effect_at: takesEffectAt }: Changed): string =>
    takesEffectAt === null ? done : 'The change takes effect in 24 hours';
