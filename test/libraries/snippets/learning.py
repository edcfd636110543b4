# %% scikit-learn
# ignore: sk-(?:container|estimator)-id-\d+
from sklearn.linear_model import LinearRegression
model = LinearRegression().fit([[0], [1]], [0, 2])
print(model.coef_.round(3))
model
# %% lightgbm
import lightgbm as lgb, numpy as np
x = np.arange(40.0).reshape(-1, 1)
lgb.LGBMRegressor(n_estimators=2, min_child_samples=2, verbose=-1).fit(x, x[:, 0]).n_features_
# %% shap
import numpy as np, shap
explainer = shap.Explainer(lambda x: x.sum(axis=1), np.zeros((1, 2)))
explainer(np.ones((1, 2))).values
# %% umap-learn
import umap
umap.UMAP(n_components=2)
# %% lifelines
from lifelines import KaplanMeierFitter
KaplanMeierFitter().fit([1, 2, 3], [1, 1, 0])
# %% nltk
from nltk.stem import PorterStemmer
from nltk.tokenize import wordpunct_tokenize
[PorterStemmer().stem(word) for word in wordpunct_tokenize("Running quickly, cats!")]
# %% joblib
from joblib import Parallel, delayed
Parallel(n_jobs=2)(delayed(pow)(n, 2) for n in range(3))
# %% distributed
from distributed import Client
with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
    print(client.submit(sum, [1, 2]).result())
# %% cython
%load_ext Cython
# %% line_profiler
# ignore: Timer unit.*|Total time.*|File: .*|(?<= )\d[\d.]* +[\d.]+ +[\d.]+ +[\d.]+
from line_profiler import LineProfiler
def work():
    return sum(range(3))
profiler = LineProfiler(work)
profiler.runcall(work)
profiler.print_stats()
# %% memory_profiler
# differs: on Jupyter, memory_profiler finds no file for the cell
from memory_profiler import profile
@profile(precision=0)
def work():
    return [0] * 10
len(work())
# %% dill
import dill
from dill.source import getsource
def double(x):
    return x * 2
print(getsource(double))
dill.loads(dill.dumps(double))(4)
# %% cloudpickle
import cloudpickle, pickle
k = 3
pickle.loads(cloudpickle.dumps(lambda x: x + k))(4)
# %% jupysql
%load_ext sql
%sql sqlite://
%sql SELECT 1 AS a, 'x' AS b
