"""The submissions of the everyday tier: of each kind the ones that show most of it."""

from tests.autograder.hostile.catalogue import Submission

EVERYDAY = {
    "resources": ("loop_in_c", "fork_bomb", "many_lines",
                  "disk_in_one_file"),
    "crashes": ("os_exit_in_the_function", "segmentation_fault", "kill_everybody", "no_channel"),
    "forgery": ("noise", "success_for_the_cell", "pickle_in_the_place_of_a_value",
                "stolen_messages", "array_that_lies_about_its_shape"),
    "cheats": ("numpy_patched", "builtins_patched", "equal_to_everything", "the_function_itself",
               "looks_up_the_stack"),
    "derandomised": ("fixed_seed", "generators_patched"),
    "oracles": ("the_oracle_itself", "internals_of_the_oracle"),
    "leaks": ("the_secret", "the_gradebook", "prints_what_it_is_asked", "raises_what_it_is_asked",
              "kept_in_a_file", "memory_of_others"),
    "tampering": ("points_raised", "own_graded_cell", "tests_rewritten", "no_json"),
    "meddling": ("the_gradebook_rewritten", "rooms_of_others"),
    "archives": ("paths_that_lead_out", "zip_bomb", "link_in_an_archive", "names_for_the_course"),
    "links": ("pipe", "terabyte"),
    "rendering": ("script_in_html", "messages_with_html", "name_that_is_a_formula",
                  "terminal_escapes"),
    "unlucky": ("asks_for_input", "magics", "byte_order_mark", "wrong_file_name"),
    "verdicts": ("cleared_behind_each_cell", "exceptions_that_are_none",
                 "never_says_that_it_is_done"),
    "helpers": ("a_module_of_its_own", "a_helper_in_builtins", "last_line_not_a_number",
                "a_test_ended_for_its_helper"),
    "backflow": ("late_exit", "hook_behind_cells", "told_by_a_number", "told_by_the_end"),
    "channels": ("locks_of_files", "queues_of_messages"),
    "hogs": ("spinning_children", "short_lives"),
    "unfair": ("own_errors_from_warnings", "slip_loop", "slip_name", "own_newer_words"),
    "invented": ("ledger_rewritten", "channel_changed_for_a_pipe", "answered_by_a_child",
                 "text_of_the_tests", "waits_for_its_time"),
}  # fmt: skip


def is_everyday(submission: Submission) -> bool:
    """Whether the submission is graded in the everyday tier."""
    return submission.name in EVERYDAY[submission.kind]
