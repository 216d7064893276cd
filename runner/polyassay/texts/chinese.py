"""Everything that is said in Chinese, by its English sentence."""

from collections.abc import Mapping

from polyassay.texts.page import PAGE, SCRIPTS
from polyassay.texts.sentences import SENTENCES
from polyassay.texts.trust import TRUST

CHINESE: Mapping[str, str] = {**PAGE, **TRUST, **SENTENCES}
CHINESE_SCRIPTS: Mapping[str, str] = {**SENTENCES, **SCRIPTS}
