import { useState } from 'react';
import { isApiFailure } from '#src/storefront/api.ts';
import { readText } from '../../kit/form-text.ts';
import { checkEntered, listAsking, readSerials } from '../serial-form.ts';
import type { UnitsOfLine } from '../serial-form.ts';

/** The numbers of a parcel's units in a form, with messages beside their fields. */
export function useSerials(units: readonly UnitsOfLine[]) {
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const lines = listAsking(units);
  const read = (data: FormData) => readSerials(lines, (name) => readText(data, name));
  return {
    lines,
    problems,
    read,
    /** Whether they can be sent. Shows what is wrong otherwise. */
    check: (data: FormData): boolean => {
      const found = checkEntered(lines, read(data));
      setProblems(found);
      return Object.keys(found).length === 0;
    },
    recheck: (name: string) =>
      setProblems((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== name))),
    /** Shows beside the fields what the shop refuses. */
    watch: async <Result>(answer: Promise<Result>): Promise<Result> => {
      try {
        return await answer;
      } catch (error) {
        if (isApiFailure(error) && error.code === 'serial-numbers') setProblems(error.fields);
        throw error;
      }
    },
  };
}
