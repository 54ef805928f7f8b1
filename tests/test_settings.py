"""The settings file: read leniently, written without losing anything of the user's."""

import tomllib

import pytest

from visualizer.personal import settings
from visualizer.personal.settings import Settings, settings_path


@pytest.fixture
def written(own_folder):
    """Writes the settings file, loads it, and returns what came of it and what was said."""

    def load(content):
        settings_path().write_bytes(content if isinstance(content, bytes) else content.encode())
        said = []
        return settings.load(said.append), said

    return load


def test_without_a_file_every_setting_has_its_default(own_folder):
    assert settings.load(pytest.fail) == Settings()


def test_settings_are_read(written):
    loaded, said = written(
        'theme = "light"\ngranularity = "coarse"\nhidden_macros = ["PD_*"]\nrun_size = 10\n'
    )
    assert loaded == Settings("light", "coarse", ("PD_*",), 10)
    assert said == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('theme = "pink"', 'theme = "pink" cannot be used: choose from dark, light, high-contrast'),
        ("granularity = 3", "granularity = 3 cannot be used: choose from coarse, fine"),
        ("run_size = 0", "run_size = 0 cannot be used: give a whole number from 1 to"),
        ("run_size = true", "run_size = true cannot be used"),
        ("recent_files = 1.5", "recent_files = 1.5 cannot be used"),
        ('hidden_macros = "A"', 'hidden_macros = "A" cannot be used: give a list of names'),
        ('"hidden_macros" = [1]', "hidden_macros = [1] cannot be used"),
        ("colour = 1", "colour is no setting of Unfold's; it stays, and changes nothing"),
        ("[colours]\nred = 1", "colours is no setting of Unfold's"),
    ],
)
def test_what_cannot_be_used_is_named_by_file_line_and_key(written, line, message):
    loaded, (said,) = written(f"# mine\n\n{line}\n")
    assert said.startswith(f"{settings_path()}:3: {message}")
    assert loaded == Settings()


def test_one_bad_value_leaves_the_others_alone(written):
    loaded, said = written('theme = "pink"\nrun_size = 5\n')
    assert loaded == Settings(run_size=5)
    assert len(said) == 1


@pytest.mark.parametrize("content", ["theme = \n", b"theme = '\xff'\n", "\0", "a = 1\na = 2\n"])
def test_a_damaged_file_is_set_aside_and_named(written, own_folder, content):
    for number in (1, 2):
        loaded, (said,) = written(content)
        assert loaded == Settings()
        aside = own_folder / f"settings.toml.damaged-{number}"
        assert aside.name in said
        assert str(settings_path()) in said
        assert aside.read_bytes() == (content if isinstance(content, bytes) else content.encode())
        assert not settings_path().exists()


def test_a_change_keeps_comments_order_and_unknown_keys(written):
    mine = '# my file\ncolour = 7  # not yours\ntheme = "dark" # at night\n\n[more]\nx = 1\n'
    written(mine)
    settings.change(pytest.fail, theme="light", run_size=3)
    text = settings_path().read_text()
    assert '# my file\ncolour = 7  # not yours\ntheme = "light" # at night\n' in text
    assert tomllib.loads(text) == {
        "colour": 7,
        "theme": "light",
        "run_size": 3,
        "more": {"x": 1},
    }


def test_a_first_change_makes_a_file_that_explains_every_key(own_folder):
    settings.change(pytest.fail, hidden_macros=("A", "B_*"))
    text = settings_path().read_text()
    assert tomllib.loads(text) == {"hidden_macros": ["A", "B_*"]}
    for key in settings.KEYS:
        assert f"# {key} = " in text
    uncommented = "".join(
        line.removeprefix("# ")
        for line in text.splitlines(True)
        if line.startswith("# ") and " = " in line
    )
    settings_path().write_text(uncommented)
    assert settings.load(pytest.fail) == Settings()


def test_a_value_that_would_not_be_read_is_not_written(own_folder):
    with pytest.raises(ValueError, match="choose from"):
        settings.change(pytest.fail, theme="pink")
    with pytest.raises(KeyError):
        settings.change(pytest.fail, colour=1)
    assert not settings_path().exists()


def test_a_folder_that_cannot_be_written_is_said(own_folder, monkeypatch):
    (own_folder / "file").write_text("")
    monkeypatch.setenv("UNFOLD_CONFIG_DIR", str(own_folder / "file"))
    said = []
    settings.change(said.append, theme="light")
    assert settings.load(said.append) == Settings()
    assert "the settings cannot be written: " in said[0]


def test_a_number_too_long_to_be_one_is_set_aside(written):
    loaded, (said,) = written(f"run_size = {'9' * 5000}\n")
    assert loaded == Settings()
    assert "settings.toml.damaged-1" in said


def test_what_cannot_be_changed_is_said_and_kept(written, own_folder):
    nested = f"mine = {'[' * 300}{']' * 300}\n"
    written(nested)
    said = []
    settings.change(said.append, theme="light")
    assert "no setting can be changed there" in said[-1]
    assert settings_path().read_text() == nested
