/**
 * Accepts libFuzzer's flags, `-name=value`, with the same meaning. Flags that have no equivalent
 * here are accepted with a note.
 */
import type { FuzzOptions } from '../index.js';
import { UsageError } from './usage-error.js';

type Setting = Partial<FuzzOptions> & { readonly minimizesCrash?: boolean; readonly findsLeaks?: boolean };

const flags: Readonly<Record<string, (value: string) => Setting>> = {
  runs: value => (value.startsWith('-') ? {} : { maxRuns: number('runs', value) }),
  max_total_time: value => {
    const seconds = number('max_total_time', value);
    return seconds === 0 ? {} : { maxTimeMs: seconds * 1000 };
  },
  max_len: value => {
    const bytes = number('max_len', value);
    return bytes === 0 ? {} : { maxLength: bytes };
  },
  seed: value => ({ seed: number('seed', value) }),
  dict: value => ({ dictionary: value }),
  merge: value => ({ merge: isOn('merge', value) }),
  minimize_crash: value => ({ minimizesCrash: isOn('minimize_crash', value) }),
  artifact_prefix: value => ({ artifactPrefix: value }),
  jobs: value => ({ workers: Math.max(1, number('jobs', value)) }),
  workers: value => ({ workers: Math.max(1, number('workers', value)) }),
  only_ascii: value => ({ onlyAscii: isOn('only_ascii', value) }),
  detect_leaks: value => ({ findsLeaks: isOn('detect_leaks', value) }),
};

/** Flags of libFuzzer that have no effect here. */
const others = new Set(
  (
    'timeout error_exitcode timeout_exitcode rss_limit_mb malloc_limit_mb print_final_stats print_pcs print_coverage print_corpus_stats ' +
    'verbosity use_value_profile use_counters use_cmp use_memmem shrink reduce_inputs entropic len_control cross_over mutate_depth ' +
    'prefer_small reload report_slow_units fork ignore_crashes ignore_timeouts ignore_ooms close_fd_mask handle_segv handle_abrt ' +
    'shuffle exact_artifact_path keep_seed seed_inputs cross_over_uniform_dist reduce_depth fork_corpus_groups set_cover_merge stop_file ' +
    'merge_control_file cleanse_crash mutation_graph_file print_funcs print_full_coverage dump_coverage handle_bus handle_ill handle_fpe ' +
    'handle_int handle_term handle_xfsz handle_usr1 handle_usr2 handle_winexcept purge_allocator_interval trace_malloc exit_on_src_pos ' +
    'exit_on_item ignore_remaining_args focus_function entropic_feature_frequency_threshold entropic_number_of_rarest_features ' +
    'entropic_scale_per_exec_time analyze_dict use_clang_coverage data_flow_trace collect_data_flow create_missing_dirs'
  ).split(' '),
);

const form = /^-([a-z_]+)=(.*)$/s;

/** Removes libFuzzer's flags from the flags that would be passed to clang. */
export function libFuzzerFlags(given: readonly string[]): {
  readonly settings: Setting;
  readonly ignored: readonly string[];
  readonly clangFlags: readonly string[];
} {
  let settings: Setting = {};
  const ignored: string[] = [];
  const clangFlags: string[] = [];
  for (const flag of given) {
    const [, name = '', value = ''] = form.exec(flag) ?? [];
    const setting = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (setting !== undefined) settings = { ...settings, ...setting(value) };
    else if (others.has(name)) ignored.push(flag);
    else clangFlags.push(flag);
  }
  return { settings, ignored, clangFlags };
}

function number(name: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new UsageError(`-${name}=${value}: not a number`);
  return Number(value);
}

function isOn(name: string, value: string): boolean {
  return number(name, value) !== 0;
}
