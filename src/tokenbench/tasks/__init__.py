"""The tasks, by name: one module each, found in the folder of its paper and imported when used."""

from tokenbench.builtin import BUILTIN as BUILTIN
from tokenbench.tasks.contract import Task as Task
from tokenbench.tasks.references import TaskLike as TaskLike
from tokenbench.tasks.references import TaskRef as TaskRef
from tokenbench.tasks.references import as_ref as as_ref
from tokenbench.tasks.references import assign_params as assign_params
from tokenbench.tasks.references import attach_files as attach_files
from tokenbench.tasks.references import unknown_param as unknown_param
from tokenbench.tasks.references import user_files as user_files
from tokenbench.tasks.registry import builtin_task as builtin_task
from tokenbench.tasks.registry import catalog as catalog
from tokenbench.tasks.registry import find_task as find_task
from tokenbench.tasks.registry import register as register
from tokenbench.tasks.registry import replace_task as replace_task
from tokenbench.tasks.registry import task as task
from tokenbench.tasks.spec import Pool as Pool
from tokenbench.tasks.spec import Question as Question
